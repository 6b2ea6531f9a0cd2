"""How far p-values can be trusted: whether winners win in the population and on other domains."""

from ui.app import components
from ui.frame.frame import foot, frame
from ui.studies.analyses import calibration

view = frame("Calibration")
bins, drawn = calibration.population(view)
across = "Does the winner win on other domains?"
components.fold(across, calibration.across, view, bins, key="across_open", choices=["calibrate_from"])
foot(view, **view.significance, **drawn)
