//! Says that a test was skipped.

use std::io::Write;

/// Says on standard error why a test did nothing. Test harnesses hide what passing
/// tests print; nobody should take a skipped one for a passed one.
pub fn skip(test: &str, why: &str) {
    // That standard error may be closed changes nothing.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}
