"""The process that runs a witness generator: `python -m frumious._child`."""

from ._native import serve_child

if __name__ == "__main__":
    serve_child()
