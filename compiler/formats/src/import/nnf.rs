//! Circuits of c2d: logic in negation normal form.
//!
//! `nnf nodes edges variables`, then one unit a line, counted from 0: `L literal`,
//! `A n child*n` and `O variable n child*n`. The root stands last.

use super::lines::{FormatLine, FormatLines};
use super::logic::{LogicMeaning, and, finish, or};
use super::units::FileUnits;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_grammar::source::Span;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let lines = FormatLines::behind(context.source, "nnf")?;
    let mut reader = NnfReader {
        units: FileUnits::new(context),
        meanings: Vec::new(),
    };
    let header = FormatLines::of(context.source).next();
    let claimed = header.and_then(claimed_variables);
    for line in lines {
        let meaning = reader.unit(line)?;
        reader.meanings.push(meaning);
    }
    let root = reader.meanings.last().copied();
    let root = root.ok_or_else(|| ImportError::whole("the file has no units"))?;
    let mut notes = Vec::new();
    if let Some((number, line)) = claimed {
        let n_used = reader.units.builder.variables().len();
        if usize::try_from(number).is_ok_and(|number| number < n_used) {
            notes.push(format!(
                "the header counts {number} variables, but there is a variable {n_used}"
            ))
        } else {
            // Variables that are in no unit count as well.
            reader.units.declare(number, &line)?
        }
    }
    finish(root, reader.units, context, notes)
}

/// The number of variables in the header, if it can be made out.
fn claimed_variables(mut header: FormatLine) -> Option<(i64, FormatLine)> {
    for what in ["nnf", "number of units", "number of edges"] {
        header.word(what).ok()?;
    }
    let number = header.int("number of variables").ok()?;
    Some((number, header))
}

struct NnfReader<'a> {
    units: FileUnits<'a>,
    /// By the numbers of their lines.
    meanings: Vec<LogicMeaning>,
}

impl NnfReader<'_> {
    fn unit(&mut self, mut line: FormatLine) -> Result<LogicMeaning, ImportError> {
        let meaning = match line.kind(&["L", "A", "O"])? {
            "L" => LogicMeaning::Unit(self.units.literal(&mut line)?),
            "A" => {
                let children = self.children(&mut line)?;
                let origin = self.units.named(self.meanings.len() as i64, line.span());
                and(children, &mut self.units, origin)
            }
            _ => {
                line.int("variable that is decided")?;
                let children = self.children(&mut line)?;
                let origin = self.units.named(self.meanings.len() as i64, line.span());
                or(children, &mut self.units, origin)
            }
        };
        line.end()?;
        Ok(meaning)
    }

    fn children(
        &mut self,
        line: &mut FormatLine,
    ) -> Result<Vec<(LogicMeaning, Span)>, ImportError> {
        let n_children = line.index("number of children")?;
        let mut children = Vec::new();
        for _ in 0..n_children {
            let id = line.id()?;
            let position = usize::try_from(id).ok();
            let meaning = position.and_then(|at| self.meanings.get(at)).copied();
            let meaning = meaning.ok_or_else(|| FileUnits::undefined(id, line))?;
            self.units.make_room(2, line)?;
            children.push((meaning, line.last_span()));
        }
        Ok(children)
    }
}
