"""The table as a window: what is held, what is seen, what is clicked."""
