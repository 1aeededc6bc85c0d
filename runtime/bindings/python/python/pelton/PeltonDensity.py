# ruff: noqa: N999 (an import looks for this name)
"""Says what the estimator needs where it is absent.

`from pelton import PeltonDensity` finds the estimator as a name of the package, and looks
for a module only where there is none: where scikit-learn is not installed. The name cannot
say so itself, because an error of a name that is asked for is never shown by an import.
"""

raise ImportError("pelton.PeltonDensity needs scikit-learn: pip install scikit-learn")
