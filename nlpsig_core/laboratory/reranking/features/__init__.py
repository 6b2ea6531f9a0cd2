"""Feature classes of candidates: what a reranker knows about a parse. One class is a function and a line in CLASSES."""

from nlpsig_core.laboratory.reranking.features.classes import CLASSES, FeatureClass, classes_of
from nlpsig_core.laboratory.reranking.features.extraction import Features, extract
from nlpsig_core.laboratory.reranking.features.places import Feature

__all__ = ["CLASSES", "Feature", "FeatureClass", "Features", "classes_of", "extract"]
