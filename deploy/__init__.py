"""How the app is put on a server: locked requirements, a container, and the audit of both."""
