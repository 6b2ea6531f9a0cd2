"""The paired bootstrap as a film, readable from the back of a lecture hall."""

from ui.frame.frame import frame
from ui.studies.learn import film

view = frame("Learn")
film.show(view)
film.more()
