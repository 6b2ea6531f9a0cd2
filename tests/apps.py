"""Pages opened through Streamlit's AppTest, and what is to be read on them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parent.parent
MAIN, SEVERAL = "brelda-parsing", "orvan-three-test-sets"
SECONDS = 180


def app(page: str = "app.py", folds: tuple[str, ...] = (), **link: object) -> AppTest:
    """Open a page by a link, with few resamples where the link does not say otherwise, and these folds open."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in ({"b": "10k"} | link).items():
        test.query_params[key] = str(value)
    for fold in folds:
        test.session_state[fold] = True
    if page != "app.py":
        test.switch_page(page)
    test.run()
    assert not test.exception, test.exception[0].value
    return test


def drop_files(test: AppTest, files: Mapping[str, str | bytes], box: str = "upload") -> AppTest:
    """Put files into the box for files, and return the page with what became of them."""
    for name, content in files.items():
        test.file_uploader(key=box).upload(name, content.encode() if isinstance(content, str) else content)
    return test.run()


def press(test: AppTest, label: str) -> AppTest:
    """Press the button whose label begins so."""
    next(button for button in test.button if button.label.startswith(label)).click().run()
    assert not test.exception
    return test


def texts(test: AppTest) -> str:
    """Return all that a person can read, without the escapes of Markdown, tables and figures excepted."""
    kinds = (test.markdown, test.caption, test.text, test.error, test.warning, test.info, test.title)
    shown = [str(element.value) for kind in kinds for element in kind]
    return "\n".join([*shown, *copyable(test)]).replace("\\", "")


def tooltips(test: AppTest) -> str:
    """Return how to read the figures, which the tooltips of captions say."""
    return "\n".join(caption.proto.help for caption in test.caption)


def unrecognised(test: AppTest) -> str:
    """Return the key of the table in which the roles of files that were not recognised are chosen."""
    box = next(box for box in test.selectbox if str(box.key).startswith("unrecognised"))
    return str(box.key).removesuffix("_format")


def charts(test: AppTest) -> list[dict]:
    """Return the figures as plotly's JSON."""
    return [json.loads(element.proto.spec) for element in test.get("plotly_chart")]


def values(data) -> np.ndarray:
    """Decode an array of a figure's JSON."""
    if isinstance(data, dict):
        return np.frombuffer(base64.b64decode(data["bdata"]), dtype=data["dtype"])
    return np.asarray(data)


def metric(test: AppTest, label: str) -> str:
    """Return the value of a number with that label."""
    return next(element.value for element in test.metric if element.label == label)


def frame_with(test: AppTest, column: str) -> pd.DataFrame:
    """Return the first table that has that column."""
    return next(frame.value for frame in test.dataframe if column in frame.value)


def drawings(test: AppTest) -> list[str]:
    """Return the drawings of units on the page."""
    return [element.proto.body for element in test.get("html") if 'class="unit-drawing"' in element.proto.body]


def mounted(test: AppTest, component: str) -> list[Any]:
    """Return the data of each of the app's own components of that name, in their order on the page."""
    elements = (element.proto for element in test.get("bidi_component"))
    return [json.loads(proto.json) for proto in elements if proto.component_name == f"nlpsig_{component}"]


def copyable(test: AppTest) -> list[str]:
    """Return the texts with a button that copies them; the signature is the last one."""
    return mounted(test, "copyable")


def listed_pairs(test: AppTest) -> list[str]:
    """Return the pairs in the list of the Pairs page, by name and in its order."""
    (data,) = mounted(test, "pair_list")
    names = data["names"]
    return [f"{names[a]} over {names[b]}" for a, b in zip(data["first"], data["second"], strict=True)]
