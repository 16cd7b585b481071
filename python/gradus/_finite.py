"""Numbers from other programs that are none: the designs that have them become NaN, and all others are run."""

import numpy as np


def runnable(nominal, *inputs):
    """Inputs [design, ...] with numbers that can be run, parameters first, and which designs had others."""
    wrong = np.zeros(len(inputs[0]), bool)
    for array in inputs:
        if array.size:
            wrong |= ~np.isfinite(array).all(axis=1)
    if not wrong.any():
        return list(inputs), wrong
    fills = (nominal, *(0.0 for _ in inputs[1:]))
    return [np.where(wrong[:, None], fill, array) if array.size else array for array, fill in zip(inputs, fills)], wrong


def marked(arrays, wrong):
    """The results of these designs as NaN."""
    if wrong.any():
        for array in arrays:
            if array.size:
                array[wrong] = np.nan
    return arrays
