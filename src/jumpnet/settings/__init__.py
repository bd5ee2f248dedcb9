"""Settings of whatever has parameters: read, refused, spelled and listed in one way.

Layers import from the files: keys of kernels and points do not follow what a folder hands on.
"""

from jumpnet.settings.settings import Setting, Settings, make, settings_from, settings_of, spell

__all__ = ["Setting", "Settings", "make", "settings_from", "settings_of", "spell"]
