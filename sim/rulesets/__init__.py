"""One package a game; each offers one ``Ruleset`` value and knows nothing of the others."""
