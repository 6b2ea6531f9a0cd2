"""What the paired bootstrap does, for a lecture hall, in six steps."""

from ui import learn
from ui.frame import foot, frame

view = frame("Learn")
step, pair = learn.choices(view)

learn.show(step, pair)
foot(view)
