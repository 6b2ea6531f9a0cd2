"""The paired bootstrap as a film and in six steps, edge confidence in one, readable from the back of a lecture hall."""

from ui.frame.frame import frame
from ui.studies.learn import steps as learn

view = frame("Learn")
learn.show(view)
learn.close(view)
