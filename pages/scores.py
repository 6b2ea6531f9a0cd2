"""The ranking with intervals and ties, every metric, and the average over test sets."""

from ui.frame.frame import foot, frame
from ui.significance import baseline, scores
from ui.significance.pairs import notes

view = frame("Scores")
ranking = scores.ranking_of(view)
scores.headline(view)
notes.by_document(view)
notes.too_few_resamples(view)
scores.ranking_figure(view, ranking)
scores.ranking_table(view, ranking)
baseline.for_the_paper(view)
scores.macro(view)
scores.all_metrics(view)
foot(view, **view.reading)
