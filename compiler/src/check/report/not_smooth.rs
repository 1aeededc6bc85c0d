//! The message on sums that are not smooth, with the repair where there is one.

use super::{FaultyUnit, report_places, show_child, show_scope, show_variables, written_name};
use crate::check::short_children;
use crate::circuit::{CircuitGraph, Scope, Scopes, UnitId};
use crate::repair::FillFunction;
use indexmap::IndexMap;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics, listed};
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use pelton_grammar::source::Span;

const SHOWN_CHILDREN: usize = 3;
/// A repair that would add more leaves than this to a child is no edit.
const WRITTEN_LEAVES: usize = 8;

/// Reports sums that have short children; `explain` may add to what is said of each.
pub(crate) fn report_not_smooth(
    circuit: &CircuitGraph,
    scopes: &Scopes,
    faults: &[UnitId],
    found: &mut SourceDiagnostics,
    explain: impl Fn(UnitId, SourceDiagnostic) -> SourceDiagnostic,
) {
    report_places(circuit, faults, "sums are not smooth", found, |place| {
        explain(place.unit, not_smooth(circuit, scopes, place))
    });
}

fn not_smooth(circuit: &CircuitGraph, scopes: &Scopes, place: FaultyUnit) -> SourceDiagnostic {
    let fault = SmoothnessFault::new(circuit, scopes, place.unit);
    let (whose, more) = (circuit.describe(place.unit), place.and_more());
    let sentence = format!("{whose} is not smooth{more}");
    let first = circuit.child(place.unit, fault.short[0]);
    let message = SourceDiagnostic::new(Code::NotSmooth, first.span, sentence);
    fault.repair(fault.labels(message).note(fault.note()))
}

/// A sum that is not smooth, with the children at fault.
struct SmoothnessFault<'a> {
    circuit: &'a CircuitGraph,
    scopes: &'a Scopes,
    sum: UnitId,
    /// Positions of the short children to show; not empty.
    short: Vec<usize>,
    n_left: usize,
}

impl<'a> SmoothnessFault<'a> {
    fn new(circuit: &'a CircuitGraph, scopes: &'a Scopes, sum: UnitId) -> Self {
        let mut all = short_children(circuit, scopes, sum);
        let short: Vec<usize> = all.by_ref().take(SHOWN_CHILDREN).collect();
        SmoothnessFault {
            circuit,
            scopes,
            sum,
            short,
            n_left: all.count(),
        }
    }

    fn missing(&self, child_idx: usize) -> Scope {
        let child = self.circuit.child(self.sum, child_idx).unit;
        self.scopes.of(self.sum).minus(self.scopes.of(child))
    }

    /// The child to compare the first short one with: it mentions what that one misses.
    fn fuller_child(&self) -> Option<usize> {
        let missing = self.missing(self.short[0]);
        let mut children = self.circuit.children(self.sum);
        children.position(|child| !missing.is_disjoint(self.scopes.of(child.unit)))
    }

    /// Labels the short children, and one that mentions what the first of them misses.
    fn labels(&self, mut message: SourceDiagnostic) -> SourceDiagnostic {
        let mut shown = self.short.clone();
        shown.extend(self.fuller_child().filter(|at| !self.short.contains(at)));
        // Children that a repetition wrote stand in one place, which gets one label.
        let mut places: IndexMap<Span, Vec<usize>> = IndexMap::new();
        for at in shown {
            let span = self.circuit.child(self.sum, at).span;
            places.entry(span).or_default().push(at);
        }
        for (span, children) in places {
            let text = self.label_text(&children);
            message = if children[0] == self.short[0] {
                message.at(text)
            } else {
                message.label(span, text)
            };
        }
        message
    }

    /// What to say at a place where these children are written: one as a rule,
    /// several if a repetition wrote them.
    fn label_text(&self, children: &[usize]) -> String {
        let scope_of = |at: usize| {
            let child = self.circuit.child(self.sum, at).unit;
            show_scope(self.circuit, self.scopes.of(child))
        };
        if let [only] = *children {
            return format!("this child has scope {}", scope_of(only));
        }
        let each = children.iter().map(|&at| {
            let child = show_child(self.circuit, self.sum, at);
            format!("{child} has scope {}", scope_of(at))
        });
        listed(each)
    }

    fn note(&self) -> String {
        let each = self.short.iter().map(|&at| {
            let missing = show_variables(self.circuit, &self.missing(at));
            format!("child {} is missing {missing}", at + 1)
        });
        let mut parts: Vec<String> = each.collect();
        match self.n_left {
            0 => {}
            1 => parts.push("1 more child is short".to_string()),
            n => parts.push(format!("{n} more children are short")),
        }
        let rule = "every child of a sum must mention the same variables";
        format!("{rule}; {}", parts.join("; "))
    }

    /// Offers the repair as an edit where that is possible, and in words elsewhere.
    fn repair(&self, message: SourceDiagnostic) -> SourceDiagnostic {
        // What cannot be filled in is said first; then an edit if the text allows one, else
        // words.
        let missing = self.short.iter().map(|&at| self.missing(at));
        let missing = missing.reduce(|a, b| a.union(&b)).expect("a short child");
        if let Some(help) = self.no_filler(&missing) {
            return message.help(help);
        }
        let what = match self.short.len() + self.n_left {
            1 => "the short child by a distribution",
            _ => "each short child by a distribution",
        };
        let names = show_variables(self.circuit, &missing);
        let repair = match self.short.len() {
            1 => format!("multiply {what} over {names}"),
            _ => format!("multiply {what} over what it misses ({names})"),
        };
        match self.edits() {
            Some(edits) => message.suggest_edits(format!("{repair} (here: uniform)"), edits),
            None => message.help(RemedyText::from(repair).or(RemedyOption::FillSmooth)),
        }
    }

    /// What to say if a missing variable has no neutral distribution.
    fn no_filler(&self, missing: &Scope) -> Option<String> {
        let variables = missing.iter().map(|id| self.circuit.variable(id));
        let mut endless = variables.filter(|v| FillFunction::of(&v.domain).is_none());
        let variable = endless.next()?;
        let (name, domain) = (&variable.name, &variable.domain);
        let example = if domain.is_discrete() {
            "poisson(1)"
        } else {
            "normal(0, 1)"
        };
        Some(format!(
            "multiply the short child by a distribution over `{name}` of your choice, such as `{} ~ {example}`; \
             `{name}` is `{domain}`, which has no uniform distribution to fill in",
            written_name(name)
        ))
    }

    /// The repair as edits, if the text at fault makes this one unit and no other.
    fn edits(&self) -> Option<Vec<(Span, String)>> {
        if self.n_left > 0 || !self.is_written_once() {
            return None;
        }
        let mut edits = Vec::new();
        for &at in &self.short {
            let missing = self.missing(at);
            let child = self.circuit.child(self.sum, at);
            let siblings = self.circuit.children(self.sum);
            let n_here = siblings.filter(|other| other.span == child.span).count();
            if n_here > 1 || missing.len() > WRITTEN_LEAVES {
                return None;
            }
            // A term's body is a product in the grammar: factors can follow it.
            edits.push((child.span.after(), self.factors(&missing)));
        }
        Some(edits)
    }

    /// ` * wet ~ bernoulli(0.5) * …`
    fn factors(&self, missing: &Scope) -> String {
        let factors = missing.iter().filter_map(|id| {
            let variable = self.circuit.variable(id);
            let filler = FillFunction::of(&variable.domain)?;
            let name = written_name(&variable.name);
            Some(format!(" * {name} ~ {}", filler.text()))
        });
        factors.collect()
    }

    /// Whether the sum's text stands for this unit alone. The text of an
    /// indexed node or a repetition makes many, and naming the variables that
    /// one of them misses would break the others.
    fn is_written_once(&self) -> bool {
        let (circuit, span) = (self.circuit, self.circuit.span(self.sum));
        let owner = circuit.owner(self.sum);
        let is_indexed = owner.is_some_and(|name| !circuit.names().indices(name).is_empty());
        let n_sums = circuit
            .sums()
            .filter(|&sum| circuit.span(sum) == span)
            .count();
        !is_indexed && n_sums == 1
    }
}
