"""An operator types it: the verbs of ``askance-collect``, which ``askance`` has too.

The command itself is `askance_collect.__main__`.
"""
