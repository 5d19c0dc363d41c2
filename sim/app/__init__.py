"""What does the person want? The window and the command line."""
