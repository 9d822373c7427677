"""Read a file that a survey file names: a regular one of bounded size, in the survey's folder."""

import os
from pathlib import Path
from stat import S_ISREG

from askance_collect.errors import SurveyError

_ALLOWED = "a file beside the survey file"


def read_beside(folder: Path, name: str, where: str, largest: int, remedy: str = "") -> bytes:
    """Read at most one byte more than the largest size, so that the caller can refuse it.

    Nothing outside the survey's folder is read, neither by ``..`` nor by a link, and nothing that
    is no regular file is waited for.

    Raises
    ------
    SurveyError
        If the name leads out of the folder, or there is no such regular file that can be read.
    """
    try:
        home = folder.resolve()
        path = (folder / name).resolve(strict=True)
        if not path.is_relative_to(home):
            problem = f"{name}, which is outside the survey's folder"
            raise SurveyError(where, got=problem, allowed=_ALLOWED, remedy=remedy)
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SurveyError(
                    where, got=f"{name}, which is no file", allowed=_ALLOWED, remedy=remedy
                )
            return file.read(largest + 1)
    except (OSError, ValueError, RuntimeError) as error:
        if isinstance(error, SurveyError):
            raise
        problem = f"{Path(name).name}: {getattr(error, 'strerror', None) or error}"
        raise SurveyError(where, got=problem, allowed=_ALLOWED, remedy=remedy) from error
