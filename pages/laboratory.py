"""What a gain means between systems trained on resampled training sets, with real systems over them."""

from ui.app import choice
from ui.app.copying import copyable
from ui.frame.frame import frame
from ui.laboratory import experiments

view = frame("Laboratory")
if found := experiments.chosen():
    experiments.headline(found)
    experiments.figure(found)
    experiments.table(found)
experiments.others()
if found:
    copyable(found.signature)
choice.write_link()
