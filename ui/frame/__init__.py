"""The frame of every page: menu, sidebar, and what they choose."""
