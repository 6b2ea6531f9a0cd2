"""The frame of every page: menu, sidebar, and the view of what they select."""
