"""The token plot for print: the same groups, shapes and line, drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ._scatter import OWN, Group

MARKERS = {
    "circle": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "plus": "+",
    "cross": "x",
    "triangle pointing down": "v",
    "bar": "|",
    "star": "*",
}


def printed(groups: Sequence[Group], x_name: str, y_name: str, line_name: str) -> Figure:
    """The figure; its axes are linear from 0 to 1 and logarithmic from there, so that 0 has a place."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    largest = max((max(point) for group in groups for point in group.points), default=1)
    axes.plot([1, largest], [1, largest], "--", color="black", linewidth=1, label=line_name)
    for group in groups:
        if group.points:
            own = group.look == OWN
            colour, size = ("black", 120) if own else (group.look.colour, 16)
            across, up = zip(*group.points, strict=True)
            marker = MARKERS[group.look.shape]
            axes.scatter(across, up, s=size, c=colour, marker=marker, alpha=1 if own else 0.5, label=group.name)
    axes.set(xscale="symlog", yscale="symlog", xlabel=x_name, ylabel=y_name, xlim=(-0.5, None), ylim=(-0.5, None))
    figure.legend(fontsize="x-small", loc="outside right upper")
    return figure
