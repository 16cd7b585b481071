"""Web pages of models and results in notebooks."""

from __future__ import annotations

import html
import pathlib
import tempfile


def frame_of_model(model, height: int = 600) -> str:
    """The page of a model as a frame, which needs nothing but itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.html"
        model.write_page(file)
        text = file.read_text(encoding="utf-8")
    return frame_of_text(text, height)


def frame_of_text(text: str, height: int = 900) -> str:
    return f'<iframe srcdoc="{html.escape(text, quote=True)}" width="100%" height="{height}" style="border:0"></iframe>'
