"""The app as it is served: ``app.py`` behind its guard."""

import streamlit as st

from ui.serving import starting

app = st.App("app.py", lifespan=starting.announced, middleware=starting.middleware())
