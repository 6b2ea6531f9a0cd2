"""Files and folders -> SharedTask; ``loading`` runs the steps, each in a module of its own."""
