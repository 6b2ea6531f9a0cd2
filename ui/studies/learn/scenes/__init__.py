"""The scenes of the film in words."""
