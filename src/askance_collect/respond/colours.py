"""The page's colours: those of its style, or a study's own in their place if they can be read."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

Colour = tuple[int, int, int]
"""Red, green and blue of sRGB, from 0 to 255."""

LEAST_CONTRAST = 4.5
"""What text needs against what is behind it: WCAG 2.2, success criterion 1.4.3."""

THEMES = "light", "dark"
_DECLARED = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});")
_TINTED = {"light": 0.10, "dark": 0.16}
"""How much of a study's colour is in the background of what is said of its questions."""
_TOWARDS = {"light": (0, 0, 0), "dark": (255, 255, 255)}


def contrast_in(colour: str, theme: str) -> float:
    """The least contrast of a colour with what stands behind it, or on it, in a theme of the page.

    Text has it on the page, on what is raised from it and on its own tint; the words on the main
    button stand on it.

    >>> round(contrast_in("#0b6259", "light"), 1), round(contrast_in("#0b6259", "dark"), 1)
    (6.0, 2.2)
    """
    themes, own = _themes()[theme], _read(colour)
    others = (themes["paper"], themes["raised"], _tint(own, theme), themes["on-accent"])
    return min(contrast(own, other) for other in others)


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of two colours: ``(L1 + 0.05) / (L2 + 0.05)`` of their luminances.

    References
    ----------
    WCAG 2.2, definitions of contrast ratio and of relative luminance.

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    darker, lighter = sorted(map(_luminance, (first, second)))
    return (lighter + 0.05) / (darker + 0.05)


def nearest_shade(colour: str, theme: str) -> str:
    """The colour itself, or the nearest shade of it that can be read in a theme of the page.

    It is mixed with as little black as will do in the light theme, and white in the dark one.

    >>> nearest_shade("#0b6259", "light"), nearest_shade("#ffd100", "light")
    ('#0b6259', '#806900')
    """
    own, end = _read(colour), _TOWARDS[theme]
    shades = (_spelt(_mixed(end, own, step / 255)) for step in range(256))
    return next(shade for shade in shades if contrast_in(shade, theme) >= LEAST_CONTRAST)


def style_of(colours: Mapping[str, str]) -> str:
    """Write the style that colours the page for a study, in both themes.

    >>> style_of({"light": "#7a1fa2", "dark": "#d59be8"})[:37]
    ':root{--accent:#7a1fa2;--tint:#eee4ee'
    """
    light, dark = (
        f":root{{--accent:{colours[theme]};--tint:{_spelt(_tint(_read(colours[theme]), theme))}}}"
        for theme in THEMES
    )
    return f"{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n"


def accent_of(theme: str) -> str:
    """The page's own colour in a theme, of a study that has none.

    >>> accent_of("light")
    '#0b6259'
    """
    return _spelt(_themes()[theme]["accent"])


@cache
def _themes() -> Mapping[str, Mapping[str, Colour]]:
    """Read the colours of both themes from the page's own style."""
    style = (files("askance_collect.respond") / "browser" / "palette.css").read_text(
        encoding="utf-8"
    )
    light, dark = style.split(":root {")[1:3]
    parts = zip(THEMES, (light, dark), strict=True)
    return {
        theme: {name: _read(colour) for name, colour in _DECLARED.findall(part.partition("}")[0])}
        for theme, part in parts
    }


def _tint(colour: Colour, theme: str) -> Colour:
    return _mixed(colour, _themes()[theme]["paper"], _TINTED[theme])


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (
        round(share * a + (1 - share) * b) for a, b in zip(first, second, strict=True)
    )
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _read(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _spelt(colour: Colour) -> str:
    return f"#{bytes(colour).hex()}"
