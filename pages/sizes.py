"""The size that a test set needs, the gains that it detects, and thresholds on smaller test sets."""

from ui.app import components
from ui.frame.frame import foot, frame
from ui.significance.pairs import notes
from ui.studies.analyses import answers, planning, sizes

view = frame("Test size")
aim, pair = planning.answer(view)
of = f"{view.selection.stats.n_units:,} {view.selection.stats.unit}s"

components.fold("How many do other pairs need?", planning.of_all_pairs, view, aim, key="needed_open")
components.fold(
    f"Which {view.metric.gain_word}s can {of} detect?", planning.detectable, view, aim, key="detectable_open"
)
thresholds = "Thresholds on smaller test sets"
components.fold(thresholds, sizes.on_smaller_test_sets, view, key="sizes_open", choices=sizes.KEYS)
answers.more_answers(view, aim)
notes.by_document(view)
foot(view, **view.significance, pair=pair, gain=f"{aim.gain:g}", power=aim.power)
