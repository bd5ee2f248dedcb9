"""The simulator for the page: run images, and names of the compiled functions that they call.

`web/kernels/build.py` compiles those functions to WebAssembly; `web/src/sim/simulation.ts` runs them on an image.
"""

from jumpnet.explore.kernels.image import Run, run_image

__all__ = ["Run", "run_image"]
