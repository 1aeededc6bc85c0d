//! Operators and weights in the wrong place, or missing from theirs.

use super::super::token::TokenKind;
use super::Mistake;
use super::fault::{SyntaxFault, quote};
use crate::diagnostic::SourceDiagnostic;

/// In the order in which they are tried.
pub(super) const MISTAKES: &[Mistake] = &[
    ternary,
    doubled_prefix,
    leaf_without_distribution,
    operator_without_operand,
    second_of_its_kind,
    missing_weight_colon,
    side_by_side,
];

/// Marks that an operand follows.
const BEFORE_OPERANDS: &[&str] = &[
    "+", "-", "*", "/", "%", "^", "&&", "||", "<", "<=", ">", ">=", "!=", "==", "..", ":",
];

/// `a ? b : c`
fn ternary(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if fault.here() != "?" || !fault.expected.is_operator() {
        return None;
    }
    let message = "`?` stands for what is learned and joins nothing";
    let diagnostic = fault.error_here(message, format!("expected {}", fault.expected.in_words()));
    Some(diagnostic.help("choose with `if a { b } else { c }`"))
}

/// `!!a`, `--a`, `-!a`
fn doubled_prefix(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let (first, second) = (fault.back(1), fault.here());
    let is_prefix = |word| matches!(word, "!" | "-");
    let is_first_prefix =
        is_prefix(first) && (first == "!" || !fault.ends_operand_before(fault.at - 1));
    if !is_first_prefix || !is_prefix(second) || !fault.expected.is_expression() {
        return None;
    }
    let span = fault.span(fault.at - 1).to(fault.span(fault.at));
    if first != second {
        let message = format!("`{first}` and `{second}` cannot stand together");
        return Some(fault.error_at(span, message, "only one of them can precede an operand"));
    }
    let message = format!("`{first}{second}` cancels itself");
    let diagnostic = fault.error_at(span, message, "at most one stands before an operand");
    Some(diagnostic.suggest("leave both out", span, ""))
}

/// `x ~ ;`, `x ~ normal;`
fn leaf_without_distribution(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let diagnostic = if fault.back(1) == "~" {
        let message = format!("a distribution must follow `~`, found {}", fault.found());
        fault.error_here(message, "expected a distribution")
    } else if fault.back(2) == "~" && fault.expected.has("(") {
        let family = quote(fault.back(1));
        let message = format!("the distribution {family} needs its parameters in parentheses");
        fault.error_here(message, "expected `(`")
    } else {
        return None;
    };
    let help = "write for example `x ~ normal(0, 1)` or, to learn them, `x ~ normal(?, ?)`";
    Some(diagnostic.help(help))
}

/// `a + ;`, `(a *)`
fn operator_without_operand(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let operator = fault.back(1);
    let is_operator = BEFORE_OPERANDS.contains(&operator);
    let ends = fault.at_semicolon() || matches!(fault.here(), ")" | "]" | "}" | ",");
    let is_frame = fault.expected.is_domain();
    if !is_operator || !ends || is_frame || !fault.expected.is_expression() {
        return None;
    }
    let message = format!("nothing follows the `{operator}`");
    let span = fault.span(fault.at - 1);
    let diagnostic = fault.error(fault.at - 1, message, "an operand is missing");
    if operator == ":" {
        return Some(diagnostic.help("a weight stands before a circuit, as in `0.3: a`"));
    }
    // With the blank that stands before it.
    let operand = fault.at.checked_sub(2);
    let span = operand.map_or(span, |operand| fault.span(operand).after().to(span));
    Some(diagnostic.suggest("remove it", span, ""))
}

/// `0.3: 0.4: a`, `2 ^ 3 ^ 4`, `0..1..2`
fn second_of_its_kind(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    if !fault.expected.is_operator() {
        return None;
    }
    let (message, help) = match fault.here() {
        ":" => (
            "a term has one weight",
            "multiply weights, as in `(0.3 * 0.4): a`, or put a sum in parentheses",
        ),
        "^" => ("powers do not chain", "put one of them in parentheses"),
        ".." => ("a range has two ends", "write for example `0..10`"),
        _ => return None,
    };
    let diagnostic = fault.error_here(message, format!("a second `{}`", fault.here()));
    Some(diagnostic.help(help))
}

/// `0.3 a`, `? (a)`
fn missing_weight_colon(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let weight = fault.kind_before() == Some(TokenKind::Number) || fault.back(1) == "?";
    let joins = fault.expected.is_operator() && fault.starts_expression(fault.at);
    if !weight || !joins || !fault.expected.has(":") || fault.expected.has("{") {
        return None;
    }
    let behind = fault.span(fault.at - 1).after();
    let message = format!(
        "a `:` is missing behind the weight {}",
        quote(fault.back(1))
    );
    let diagnostic = fault.error_here(message, "expected `:` or an operator");
    Some(diagnostic.suggest("insert it", behind, ":"))
}

/// `a b`
fn side_by_side(fault: &SyntaxFault<'_>) -> Option<SourceDiagnostic> {
    let joins =
        fault.expected.is_operator() && fault.starts_expression(fault.at) && !fault.on_new_line();
    if !joins || fault.expected.has("{") || fault.here() == "{" {
        return None;
    }
    let message = format!("an operator is missing before {}", quote(fault.here()));
    let diagnostic = fault.error_here(message, format!("expected {}", fault.expected.in_words()));
    Some(if fault.expected.has(",") {
        let behind = fault.span(fault.at - 1).after();
        diagnostic.suggest("separate them by a comma", behind, ",")
    } else {
        diagnostic.suggest("multiply them", fault.span(fault.at).before(), "* ")
    })
}

impl SyntaxFault<'_> {
    /// Whether the token before `idx` ends an operand, so that a `-` at `idx` is no prefix.
    fn ends_operand_before(&self, idx: usize) -> bool {
        let Some(before) = idx.checked_sub(1) else {
            return false;
        };
        self.kind(before) != Some(TokenKind::Mark)
            || matches!(self.word(before), ")" | "]" | "}" | "?")
    }
}
