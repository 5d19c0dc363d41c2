"""inchwise judges, plays and films miniature battles to the inch."""

__version__ = "0.1.0"
