"""`python -m jumpnet`: the command line where the `jumpnet` script is not on the path. Called by Python alone."""

from jumpnet.cli import main

if __name__ == "__main__":
    main()
