"""Rankings of documents by topic, and the judgements that they are measured by, as TREC has them."""
