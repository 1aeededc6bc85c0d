//! Laws of layouts.
