"""What figures share: colours, layout, hover texts, and figures as HTML."""
