"""Files and folders -> SharedTask: one module a question about them."""
