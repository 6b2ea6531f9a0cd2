"""The still picture of all pairs: a dot where each pair is, names and numbers, and nothing from elsewhere."""

import re
from base64 import b64decode
from xml.etree import ElementTree

import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots import pair_picture
from nlpsig_core.output.plots.pairs import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from nlpsig_core.significance.comparison.notion import Notion

NAN = float("nan")
PAIRS = pd.DataFrame(
    {
        "gain": [0.0, 1.0, 2.0, 4.0],
        "p_value": [1.0, 0.25, 0.01, 0.0],
        "comparison": ["same group", "same group", "different groups", "different groups"],
        "system_a": '"one"',
        "system_b": "two<",
        "verdict": "better",
    }
)
THRESHOLDS = pd.DataFrame(
    {"comparison": ["same group", "different groups"], "model_threshold": [1.5, NAN], "threshold": NAN}
)


@pytest.fixture(scope="module")
def html():
    return pair_picture(PAIRS, THRESHOLDS, metric=METRICS["LAS"], notion=Notion())


@pytest.fixture(scope="module")
def svg(html):
    return b64decode(re.search('base64,([^"]+)', html)[1]).decode()


def test_a_dot_is_where_its_pair_is(svg):
    """The ten closest pairs are drawn, here all three with a gain, to 4 * 1.03 = 4.12."""
    dots = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", svg)]
    assert len(dots) == 3
    (x, y), *_ = sorted(dots)
    assert x == pytest.approx(LEFT + 1 / 4.12 * (WIDTH - LEFT - RIGHT), abs=0.1)
    assert y == pytest.approx(TOP + (1.008 - 0.75) / (1.008 - 0.485) * (HEIGHT - TOP - BOTTOM), abs=0.1)


def test_classes_are_named_with_their_pairs_and_thresholds(svg):
    texts = [of.text for of in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"● different groups (2)", "● same group (1)", "1.50 same group", "gain in LAS (points)"} <= set(texts)
    assert not [text for text in texts if "nan" in text]


def test_it_is_one_image_with_its_alternative(html):
    (image,) = ElementTree.fromstring(f"<div>{html.replace('>', '/>')}</div>")
    assert image.tag == "img"
    assert image.get("alt").startswith("4 of 4 pairs differ on their own")
    assert image.get("src").startswith("data:image/svg+xml;base64,")
