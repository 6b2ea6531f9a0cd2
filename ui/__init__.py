"""The app: the frame of all pages, what they share, and a module or package for each page."""
