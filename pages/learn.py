"""The paired bootstrap explained in six steps, readable from the back of a lecture hall."""

from ui.frame.frame import foot, frame
from ui.learn import steps as learn

view = frame("Learn")
step, pair = learn.choices(view)

learn.show(step, pair)
foot(view)
