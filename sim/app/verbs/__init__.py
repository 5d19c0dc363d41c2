"""One module a family of verbs; each imports only what its verbs need."""
