"""What the paired bootstrap does, for a lecture hall, in six steps."""

from ui.frame.frame import foot, frame
from ui.learn import steps as learn

view = frame("Learn")
step, pair = learn.choices(view)

learn.show(step, pair)
foot(view)
