"""Pictures of networks and results; the only place that imports Matplotlib."""

import logging

from jumpnet.plot.settings_file import must_be_readable

FOLDER_WORDS = ("mkdir -p failed for path", "Matplotlib created a temporary cache directory")


def _is_of_pictures(record: logging.LogRecord) -> bool:
    """Whether a warning says anything of a picture: that Matplotlib's own folder cannot be written does not."""
    return not str(record.msg).startswith(FOLDER_WORDS)


logging.getLogger("matplotlib").addFilter(_is_of_pictures)
must_be_readable()  # here: whatever of this package comes first, Matplotlib is imported after this
