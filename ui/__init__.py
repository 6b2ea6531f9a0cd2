"""What the pages are made of: the frame, the caches, and the parts of a page."""
