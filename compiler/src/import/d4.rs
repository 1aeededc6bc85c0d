//! To be written.

use super::{Context, Fault, Imported};

pub(super) fn read(_context: &Context) -> Result<Imported, Fault> {
    Err(Fault::whole("this format is not read yet"))
}
