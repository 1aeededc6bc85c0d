//! Circuits as drawings.

use crate::Circuit;
use pelton_compiler::emit::{SvgOptions, svg};

impl Circuit {
    /// A drawing of the circuit as a self-contained SVG file: every unit of a small one,
    /// of a large one a box for each family of nodes.
    ///
    /// ```
    /// # use pelton::Circuit;
    /// let circuit = Circuit::compile("var x : bool; root x ~ bernoulli(0.25);")?;
    /// assert!(circuit.to_svg().starts_with("<svg"));
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let circuit = self.compiled.checked.circuit().clone();
        svg(&circuit.with_values(self.values()), &SvgOptions::default())
    }
}
