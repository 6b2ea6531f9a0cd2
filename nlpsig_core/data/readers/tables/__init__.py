"""Tables of scores that another tool has computed."""
