"""Every term of the app in one or two sentences, with its source and the page that shows it."""

import streamlit as st

from ui.app import choice
from ui.frame.frame import frame
from ui.studies import glossary

frame("Glossary")
st.caption("The words of this app, with their sources. Help texts link to them.")
glossary.looked_up()
glossary.chapters()
choice.write_link()
