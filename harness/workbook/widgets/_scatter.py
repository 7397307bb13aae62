"""A small renderer: points on two logarithmic axes as SVG, with a strip for zero. One path a group keeps it small."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, log10

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 700, 14, 392
ZERO = 26  # pixels from the frame to the middle of the strip for zero
STRIP = 44  # pixels that the strip for zero takes

# Legible on white and on JupyterLab's dark ground (at least 3:1 on both), and told apart by people who see few colours.
COLOURS = ("#d55e00", "#2a7fb8", "#158f6b", "#b0628f", "#8a7400", "#7a6fd0", "#808080")
# Each shape around its own middle; the point's place goes before it.
SHAPES = (
    ("circle", "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"),
    ("square", "m-3-3h6v6h-6z"),
    ("diamond", "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z"),
    ("plus", "m-4 0h8m-4-4v8"),
    ("cross", "m-3-3l6 6m0-6l-6 6"),
    ("triangle pointing down", "m0 4l4-7h-8z"),
    ("bar", "m-1.5-4h3v8h-3z"),
    ("triangle", "m0-4l4 7h-8z"),
)
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
STAR = "m0-9l2.6 6.2l6.7.6l-5.1 4.4l1.6 6.6l-5.8-3.5l-5.8 3.5l1.6-6.6l-5.1-4.4l6.7-.6z"
OPEN = ("plus", "cross")  # drawn by lines, not filled


@dataclass(frozen=True)
class Look:
    """How a group's points look; no two of the first 56 numbers look alike."""

    colour: str
    shape: str
    outline: str

    @classmethod
    def numbered(cls, number: int) -> Look:
        """The look of group `number`, from 0."""
        shape, outline = SHAPES[number % len(SHAPES)]
        return cls(COLOURS[number % len(COLOURS)], shape, outline)


OWN = Look("currentcolor", "star", STAR)


@dataclass(frozen=True)
class Group:
    """Points of one look: `(x, y)` pairs of whole numbers from 0."""

    name: str
    look: Look
    points: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Axis:
    """A value's place between two pixels: the decades up to `top`, and a strip for zero before them."""

    start: float
    stop: float
    decades: int

    def place(self, value: float) -> float:
        """The pixel of a value from 0."""
        way = 1 if self.stop > self.start else -1
        if value < 1:
            return self.start + way * ZERO
        begin = self.start + way * STRIP
        return begin + (self.stop - begin) * log10(value) / self.decades

    @property
    def ticks(self) -> list[int]:
        """Zero and the powers of ten."""
        return [0, *(10**n for n in range(self.decades + 1))]


def scatter(groups: Sequence[Group], label: str, x_name: str, y_name: str, line_name: str) -> str:
    """The picture; `label` says it in one sentence to those who do not see it. `line_name` stands at the line x = y."""
    largest = max((max(point) for group in groups for point in group.points), default=1)
    decades = max(1, ceil(log10(max(largest, 2))))
    across, up = Axis(LEFT, RIGHT, decades), Axis(BOTTOM, TOP, decades)
    inner = [*_axes(across, up, x_name, y_name), *_line(across, up, line_name)]
    inner += [mark(group, across, up) for group in groups if group.points]
    return (
        f'<svg {XMLNS} class="hwt-svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
        f'aria-label="{escape(label)}" font-size="12" font-family="system-ui,sans-serif" fill="currentcolor">'
        f"{''.join(inner)}</svg>"
    )


def mark(group: Group, across: Axis, up: Axis) -> str:
    """A group's points as one path; equal points are drawn once."""
    unique = dict.fromkeys(group.points)
    places = "".join(f"M{across.place(x):.0f} {up.place(y):.0f}{group.look.outline}" for x, y in unique)
    return f'<path {_paint(group.look)} d="{places}"><title>{escape(group.name)}</title></path>'


def sample(look: Look) -> str:
    """One point for the legend."""
    return (
        f'<svg {XMLNS} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">'
        f'<path {_paint(look)} d="M10 10{look.outline}"/></svg>'
    )


def as_image(svg: str, alt: str) -> str:
    """An SVG as an image on white: JupyterLab drops inline SVG of notebooks that were not run yet, and keeps these.

    Without `alt` it is an ornament, passed over by screen readers.
    """
    white = svg.replace("<svg ", '<svg style="background:white" ', 1)
    data = b64encode(white.encode()).decode()
    words = f'alt="{escape(alt)}"' if alt else 'alt="" aria-hidden="true"'
    return f'<img class="hwt-image" style="max-width:100%" {words} src="data:image/svg+xml;base64,{data}">'


def _paint(look: Look) -> str:
    if look == OWN:
        return 'fill="#ffd54f" stroke="currentcolor" stroke-width="1.5"'
    if look.shape in OPEN:
        return f'fill="none" stroke="{look.colour}" stroke-width="1.6"'
    return f'fill="{look.colour}" fill-opacity=".5" stroke="{look.colour}"'


def _axes(across: Axis, up: Axis, x_name: str, y_name: str) -> Iterator[str]:
    yield (
        f'<path fill="none" stroke="currentcolor" stroke-opacity=".6" '
        f'd="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/><path fill="none" stroke="currentcolor" stroke-opacity=".3" '
        f'stroke-dasharray="2 4" d="M{LEFT} {BOTTOM - STRIP}H{RIGHT}M{LEFT + STRIP} {TOP}V{BOTTOM}"/>'
    )
    for value in across.ticks:
        yield f'<text x="{across.place(value):.0f}" y="{BOTTOM + 18}" text-anchor="middle">{value:,}</text>'
    for value in up.ticks:
        yield f'<text x="{LEFT - 8}" y="{up.place(value) + 4:.0f}" text-anchor="end">{value:,}</text>'
    middle = (TOP + BOTTOM) // 2
    yield f'<text x="{(LEFT + RIGHT) // 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_name)}</text>'
    yield f'<text transform="rotate(-90 14 {middle})" x="14" y="{middle}" text-anchor="middle">{escape(y_name)}</text>'


def _line(across: Axis, up: Axis, name: str) -> Iterator[str]:
    """From (1, 1) to the largest value."""
    top = 10**across.decades
    x, y, x2, y2 = across.place(1), up.place(1), across.place(top), up.place(top)
    yield f'<path stroke="currentcolor" stroke-dasharray="6 4" d="M{x:.0f} {y:.0f}L{x2:.0f} {y2:.0f}"/>'
    yield f'<text x="{x2 - 36:.0f}" y="{TOP + 12}" text-anchor="end">{escape(name)}</text>'
