"""The text side: the command language, what is shown, the session."""
