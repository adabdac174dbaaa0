"""The process that runs a witness generator: `python -P PATH_OF_THIS_FILE`.

It has this package and no other of its name, wherever it is started.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from frumious._native import serve_child

    serve_child()
