"""Feature classes of candidates: what a reranker knows about a parse. One class is a function and a line in CLASSES."""

from nlpsig_core.laboratory.reranking.features.base import Feature, FeatureClass
from nlpsig_core.laboratory.reranking.features.extraction import extract
from nlpsig_core.laboratory.reranking.features.store import Features
from nlpsig_core.laboratory.reranking.features.table import CLASSES, classes_of

__all__ = ["CLASSES", "Feature", "FeatureClass", "Features", "classes_of", "extract"]
