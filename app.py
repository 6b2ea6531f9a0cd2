"""The first page: open one's own files or a sample, and check what was read."""

import streamlit as st

from ui.frame.frame import foot, frame
from ui.open import gallery, managing, opening, outcome, recognition, tasks
from ui.significance import overview
from ui.significance.pairs import notes
from ui.studies import campaign

view = frame("Shared task")
campaign.open_clicked()

if tasks.is_first(view.key.name):
    opening.welcome()
if tasks.is_first(view.key.name) or gallery.is_sample(view.key.name):
    gallery.kinds()
with overview.beside_the_picture(view):
    opening.opener()
    managing.show_removed()
    managing.show_damaged()
    if tasks.is_first(view.key.name):
        gallery.real_tasks()

if not outcome.failed():
    opened = st.container()
    outcome.next_steps()
    asked = recognition.ask_if_gold(view.key, view.task)
    with opened:
        outcome.show_success(asked)
    st.header(tasks.title(view.task), anchor=False)
    st.caption(tasks.about(view.task))
    found = st.container()
    managing.manage(view.key.name)
    overview.what_was_read(view)
    recognition.recognised(view.key, view.task, view.first.test_set)
    every_test_set = st.container()
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.markdown(f"### Best systems{overview.on_which_test_set(view)}")
        overview.best_systems(view)
    with right:
        st.markdown("### Names, groups, kinds")
        managing.edit_systems(view.key, view.task, view.signed())
        st.caption(
            "Groups decide which pairs count as same group; the kind marks system combinations. Cells are editable."
        )

if not tasks.is_first(view.key.name):
    gallery.real_tasks()
    if not gallery.is_sample(view.key.name):
        gallery.kinds()
foot(view, **view.reading)
# Last, since all else is shown as long as pairs are tested and other test sets are read.
if not outcome.failed():
    with found:
        overview.finding(view)
        notes.by_document(view)
    if len(view.task.test_sets) > 1:
        with every_test_set:
            campaign.overview(view)
