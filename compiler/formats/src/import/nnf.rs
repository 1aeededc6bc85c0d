//! Circuits of c2d: logic in negation normal form.
//!
//! `nnf nodes edges variables`, then one unit a line, counted from 0: `L literal`,
//! `A n child*n` and `O variable n child*n`. The root stands last.

use super::lines::{Line, Lines};
use super::logic::{Meaning, and, finish, or};
use super::units::Units;
use super::{Context, Fault, Imported};
use pelton_grammar::source::Span;

pub(super) fn read(context: &Context) -> Result<Imported, Fault> {
    let lines = Lines::behind(context.source, "nnf")?;
    let mut reader = Reader {
        units: Units::new(context),
        meanings: Vec::new(),
    };
    let header = Lines::of(context.source).next();
    let claimed = header.and_then(claimed_variables);
    for line in lines {
        let meaning = reader.unit(line)?;
        reader.meanings.push(meaning);
    }
    let root = reader.meanings.last().copied();
    let root = root.ok_or_else(|| Fault::whole("the file has no units"))?;
    let mut notes = Vec::new();
    if let Some((number, line)) = claimed {
        let n_used = reader.units.builder.variables().len();
        match usize::try_from(number).is_ok_and(|number| number < n_used) {
            true => notes.push(format!(
                "the header counts {number} variables, but there is a variable {n_used}"
            )),
            // Variables that are in no unit count as well.
            false => reader.units.declare(number, &line)?,
        }
    }
    finish(root, reader.units, context, notes)
}

/// The number of variables in the header, if it can be made out.
fn claimed_variables(mut header: Line) -> Option<(i64, Line)> {
    for what in ["nnf", "number of units", "number of edges"] {
        header.word(what).ok()?;
    }
    let number = header.int("number of variables").ok()?;
    Some((number, header))
}

struct Reader<'a> {
    units: Units<'a>,
    /// By the numbers of their lines.
    meanings: Vec<Meaning>,
}

impl Reader<'_> {
    fn unit(&mut self, mut line: Line) -> Result<Meaning, Fault> {
        let meaning = match line.kind(&["L", "A", "O"])? {
            "L" => Meaning::Unit(self.units.literal(&mut line)?),
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

    fn children(&mut self, line: &mut Line) -> Result<Vec<(Meaning, Span)>, Fault> {
        let n_children = line.index("number of children")?;
        let mut children = Vec::new();
        for _ in 0..n_children {
            let id = line.id()?;
            let position = usize::try_from(id).ok();
            let meaning = position.and_then(|at| self.meanings.get(at)).copied();
            let meaning = meaning.ok_or_else(|| Units::undefined(id, line))?;
            self.units.make_room(2, line)?;
            children.push((meaning, line.last_span()));
        }
        Ok(children)
    }
}
