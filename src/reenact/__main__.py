"""`python -m reenact` is the command `reenact`."""

from reenact.cli.main import main

if __name__ == "__main__":
    main()
