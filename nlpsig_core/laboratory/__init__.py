"""Systems on trial: parsers, confidences, rerankers, and made-up tasks."""
