"""How the app is served: who may speak to the server, and the address that it prints."""
