"""A site: static pages of several tasks, with a front page, the film and the glossary."""
