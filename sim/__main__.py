"""``python -m sim`` is the same program as ``inchwise``."""

from sim.app.cli import main

if __name__ == "__main__":
    main()
