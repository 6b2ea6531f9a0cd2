"""The paper's thresholds beside those of the atlas."""

import numpy as np

from nlpsig_core.studies.atlas.ask import Question, ask
from nlpsig_core.studies.atlas.store import shipped
from nlpsig_core.studies.atlas.views import published


def test_every_threshold_of_the_paper_is_there_with_what_the_atlas_expects():
    """Eleven, of which the atlas lacks bracket F1; AER on 100 sentences is asked as by the command, one-sided."""
    table = published(shipped())
    assert len(table) == 11
    assert table["expected"].isna().tolist() == (table["metric"] == "bracket F1").tolist()
    row = table[(table["metric"] == "AER") & (table["comparison"] == "different model types")].iloc[0]
    answer = ask(shipped(), Question(metric="AER", n=100, sides="one"))
    assert (row["threshold"], row["n"], row["expected"]) == (1.12, 100, answer.threshold)
    assert (row["low"], row["high"]) == (answer.threshold_low, answer.threshold_high)


def test_one_metric_is_called_as_in_the_atlas():
    assert published(shipped(), "ROUGE-1")["threshold"].tolist() == [1.10]
    assert np.isfinite(published(shipped(), "UAS")["expected"]).all()
