//! Sentential decision diagrams.
//!
//! `F id`, `T id`, `L id vtree literal`, `D id vtree n (prime sub)*n`. Units stand above
//! those that use them and the root stands last.

use super::lines::{FileUnitId, FormatLine, FormatLines};
use super::logic::{LogicMeaning, and, finish, or};
use super::units::FileUnits;
use super::{ImportContext, ImportError, ImportedCircuit};
use std::collections::HashMap;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut reader = SddReader {
        units: FileUnits::new(context),
        meanings: HashMap::new(),
    };
    let mut last = None;
    for line in FormatLines::behind(context.source, "sdd")? {
        last = Some(reader.unit(line)?);
    }
    let (id, root) = last.ok_or_else(|| ImportError::whole("the file has no units"))?;
    let mut notes = Vec::new();
    // Some writers number the root 0 and put it elsewhere.
    if id != 0 && reader.meanings.contains_key(&0) {
        notes.push(format!(
            "the root is unit {id}, which stands last, and not unit 0"
        ));
    }
    finish(root, reader.units, context, notes)
}

struct SddReader<'a> {
    units: FileUnits<'a>,
    meanings: HashMap<FileUnitId, LogicMeaning>,
}

impl SddReader<'_> {
    fn unit(&mut self, mut line: FormatLine) -> Result<(FileUnitId, LogicMeaning), ImportError> {
        let kind = line.kind(&["F", "T", "L", "D"])?;
        let id = line.id()?;
        if self.meanings.contains_key(&id) {
            return Err(line.fault(format!("unit {id} is defined a second time")));
        }
        let meaning = match kind {
            "F" => LogicMeaning::False,
            "T" => LogicMeaning::True,
            _ => {
                line.int("vtree node")?;
                match kind {
                    "L" => LogicMeaning::Unit(self.units.literal(&mut line)?),
                    _ => self.decision(id, &mut line)?,
                }
            }
        };
        line.end()?;
        self.meanings.insert(id, meaning);
        Ok((id, meaning))
    }

    fn decision(
        &mut self,
        id: FileUnitId,
        line: &mut FormatLine,
    ) -> Result<LogicMeaning, ImportError> {
        let n_elements = line.n_elements()?;
        let origin = self.units.named(id, line.span());
        let inner = origin.unnamed();
        let mut elements = Vec::new();
        for _ in 0..n_elements {
            let prime = (self.known(line)?, line.last_span());
            let sub = (self.known(line)?, line.last_span());
            self.units.make_room(4, line)?;
            let element = and([prime, sub], &mut self.units, inner);
            elements.push((element, prime.1.to(sub.1)));
        }
        Ok(or(elements, &mut self.units, origin))
    }

    fn known(&self, line: &mut FormatLine) -> Result<LogicMeaning, ImportError> {
        let id = line.id()?;
        self.meanings
            .get(&id)
            .copied()
            .ok_or_else(|| FileUnits::undefined(id, line))
    }
}
