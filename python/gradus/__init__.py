"""Motion of multibody systems and its exact derivatives, for thousands of designs at once.

>>> model = gradus.load("five-bar.json")
>>> mechanism = model.compile()
>>> result = mechanism.gradient(L_s1=2.3)
>>> result["psi1"], result.derivative("psi1", "L_s1")

Models are read by :func:`load` or built with :class:`Model`; :class:`Mechanism` evaluates them for arrays of
designs; ``gradus.jax`` and ``gradus.torch`` make functions of them that other programs differentiate.
``python -m gradus`` is the program.
"""

from ._core import BackendError, Cancelled, Error, FileError, InputError, NumericalError, backends, optimization_methods, version
from .expressions import Expression
from ._mechanism import Mechanism
from . import expressions
from ._model import Model, generate, guess, load, parse
from ._modes import Modes
from ._results import Outputs, Result, Run, Trajectory
from ._studies import Study, fit, optimize, sweep

__version__ = version()
__all__ = ["BackendError", "Cancelled", "Error", "Expression", "FileError", "InputError", "Mechanism", "Model", "Modes",
           "NumericalError", "Outputs", "Result", "Run", "Study", "Trajectory", "backends", "expressions", "fit", "generate", "guess", "load",
           "optimization_methods", "optimize", "parse", "sweep", "version"]
