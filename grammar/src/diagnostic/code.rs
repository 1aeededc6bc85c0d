//! Stable codes of messages.

use super::Severity;

/// Declares the codes once: variant, text, severity, title.
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $severity:ident, $name:literal, $title:literal;)*) => {
        /// The stable code of a message; `pelton explain CODE` has a page on each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $variant,)*
        }

        impl Code {
            /// Every code, in order of its text.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The text users see, such as `PC0101`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }

            /// The severity a message of this code has unless its sender says otherwise.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity),* }
            }

            /// The name `@allow(...)` takes.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),* }
            }

            /// The page that `pelton explain` prints.
            pub fn page(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("../../explain/", $text, ".md"))),*
                }
            }

            /// A few words on what the code is about.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),* }
            }
        }
    };
}

codes! {
    Syntax = "PC0001", Error, "syntax", "the text does not follow the grammar";
    NotText = "PC0002", Error, "not_text", "the file is not UTF-8 text";
    TooDeep = "PC0003", Error, "too_deep", "brackets are nested too deeply";
    Unclosed = "PC0004", Error, "unclosed", "a comment, string or bracket is not closed";
    BadNumber = "PC0005", Error, "bad_number", "a number cannot be represented";
    Unreadable = "PC0006", Error, "unreadable", "a file cannot be read";
    UseCycle = "PC0007", Error, "use_cycle", "files use each other in a cycle";
    NoRoot = "PC0008", Error, "no_root", "the circuit has no root, or more than one";
    BadAttribute = "PC0009", Error, "bad_attribute", "an attribute is unknown or in the wrong place";

    UnknownName = "PC0010", Error, "unknown_name", "a name is not defined";
    DefinedTwice = "PC0011", Error, "defined_twice", "a name is defined twice";
    WrongKind = "PC0012", Error, "wrong_kind", "a name or expression is of the wrong kind here";
    WrongCount = "PC0013", Error, "wrong_count", "the number of indices or arguments is wrong";
    Cycle = "PC0014", Error, "cycle", "nodes refer to each other in a cycle";
    DefCycle = "PC0015", Error, "def_cycle", "definitions expand into each other without end";
    BadDefine = "PC0016", Error, "bad_define", "a -D option does not fit the circuit";

    OutOfRange = "PC0020", Error, "out_of_range", "an index is out of range";
    BadArithmetic = "PC0021", Error, "bad_arithmetic", "a constant cannot be computed";
    TooLarge = "PC0022", Error, "too_large", "the circuit expands beyond the limit";
    EmptySum = "PC0023", Error, "empty_sum", "a sum has no terms";
    MissingWeight = "PC0024", Error, "missing_weight", "a term of a sum has no weight";
    NumberTimes = "PC0025", Error, "number_times", "a number is multiplied where a weight is meant";
    BadWeight = "PC0026", Error, "bad_weight", "a weight is not a number from 0 up";

    DomainMismatch = "PC0030", Error, "domain_mismatch", "a distribution does not fit its variable's domain";
    NotInDomain = "PC0031", Error, "not_in_domain", "a value is not in its variable's domain";
    Unbounded = "PC0032", Error, "unbounded", "an indicator has infinite mass";
    BadParameter = "PC0033", Error, "bad_parameter", "a distribution's parameter is out of its range";
    EmptySet = "PC0034", Error, "empty_set", "a value set or truncation leaves nothing";
    WrongShape = "PC0035", Error, "wrong_shape", "values do not have the shape that was declared";
    EmptyDomain = "PC0036", Error, "empty_domain", "a domain is empty or not usable";

    BadImport = "PC0040", Error, "bad_import", "a file in a foreign format cannot be read";

    NotSmooth = "PC0101", Error, "not_smooth", "a sum is not smooth";
    NotDecomposable = "PC0102", Error, "not_decomposable", "a product is not decomposable";
    NotDeterministic = "PC0103", Error, "not_deterministic", "a sum is not deterministic";
    NotNormalized = "PC0104", Error, "not_normalized", "weights or masses do not add up to 1";
    NotStructured = "PC0105", Error, "not_structured", "products split their variables in conflicting ways";
    PropertyUnknown = "PC0106", Warning, "property_unknown", "a property could be neither proven nor refuted";

    UnusedNode = "PC0201", Warning, "unused_node", "a node is never used";
    UnusedParameter = "PC0202", Warning, "unused_parameter", "a parameter is never used";
    UnusedVariable = "PC0203", Warning, "unused_variable", "a variable is never used";
    UnusedName = "PC0204", Warning, "unused_name", "a constant, definition or import is never used";
    WeightsOff = "PC0205", Warning, "weights_off", "weights of a sum do not add up to 1";
    Smoothed = "PC0206", Note, "smoothed", "smoothing added distributions";
    Normalized = "PC0207", Note, "renormalized", "weights were scaled to add up to 1";
    Imported = "PC0208", Note, "imported", "something changed when a foreign format was read";
    MassOff = "PC0209", Warning, "mass_off", "the mass of a leaf or a sum is not 1";
}

impl std::str::FromStr for Code {
    type Err = ();

    /// Accepts `PC0101`, `pc0101`, `101` and the name that `@allow` takes.
    fn from_str(text: &str) -> Result<Self, ()> {
        let upper = text.to_ascii_uppercase();
        let digits = upper.strip_prefix("PC").unwrap_or(&upper);
        let is_meant = |code: &Code| {
            code.name() == text
                || (digits.len() <= 4 && code.as_str()[2..] == format!("{digits:0>4}"))
        };
        Code::ALL.iter().copied().find(is_meant).ok_or(())
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
