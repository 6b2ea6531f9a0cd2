"""Pages opened through Streamlit's AppTest, and what is to be read on them."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parent.parent
MAIN, SEVERAL = "brelda-parsing", "orvan-three-test-sets"
SECONDS = 180


def app(page: str = "app.py", **link: object) -> AppTest:
    """A page opened by a link, with few resamples where the link does not say otherwise."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in ({"b": "10k"} | link).items():
        test.query_params[key] = str(value)
    if page != "app.py":
        test.switch_page(page)
    test.run()
    assert not test.exception, test.exception[0].value
    return test


def texts(test: AppTest) -> str:
    """All that a person can read, tables and figures excepted."""
    kinds = (test.markdown, test.caption, test.text, test.error, test.warning, test.info, test.code, test.title)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def tooltips(test: AppTest) -> str:
    """How to read the figures, in the tooltips of captions."""
    return "\n".join(caption.proto.help for caption in test.caption)


def unrecognised(test: AppTest) -> str:
    """The key of the table in which the roles of files that were not recognised are chosen."""
    box = next(box for box in test.selectbox if str(box.key).startswith("unrecognised"))
    return str(box.key).removesuffix("_format")


def charts(test: AppTest) -> list[dict]:
    """The figures, as plotly's JSON."""
    return [json.loads(element.proto.spec) for element in test.get("plotly_chart")]


def values(data) -> np.ndarray:
    """An array of a figure's JSON, which stands there encoded."""
    if isinstance(data, dict):
        return np.frombuffer(base64.b64decode(data["bdata"]), dtype=data["dtype"])
    return np.asarray(data)


def metric(test: AppTest, label: str) -> str:
    """The value of a figure with that name."""
    return next(element.value for element in test.metric if element.label == label)


def listed_pairs(test: AppTest) -> list[str]:
    """The pairs in the list of the Pairs page, by name and in its order."""
    (element,) = test.get("bidi_component")
    of = json.loads(element.proto.json)
    return [f"{of['names'][a]} over {of['names'][b]}" for a, b in zip(of["first"], of["second"], strict=True)]
