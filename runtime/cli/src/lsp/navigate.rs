//! Where a name is declared, and where it is mentioned.

use super::index::{DeclarationKind, Mention, WordMeaning};
use super::place;
use super::workspace::{DocumentSyntax, Workspace};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, Range,
    ReferenceParams, TextDocumentPositionParams, Uri,
};
use pelton_grammar::ast::ItemKind;
use pelton_grammar::source::SourceId;
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct Cursor {
    pub reading: Rc<DocumentSyntax>,
    /// The document itself, always the first source.
    pub source: SourceId,
    pub offset: usize,
}

impl Cursor {
    /// The cursor of a request; `None` if the document is not open.
    pub fn of(workspace: &mut Workspace, at: &TextDocumentPositionParams) -> Option<Cursor> {
        let reading = workspace.reading(&at.text_document.uri)?;
        let source = reading.program.modules.first()?.source;
        let text = reading.program.sources.get(source).text();
        Some(Cursor {
            offset: place::offset(text, at.position),
            source,
            reading,
        })
    }

    /// The word under the cursor, if it means something.
    pub fn mention(&self) -> Option<Mention> {
        self.reading.index.at(self.source, self.offset)
    }

    /// The declaration of the word under the cursor.
    pub fn declaration(&self) -> Option<usize> {
        match self.mention()?.meaning {
            WordMeaning::Declared(at) => Some(at),
            _ => None,
        }
    }
}

/// Where the name under the cursor is declared; for a used file, the file.
pub fn definition(
    workspace: &mut Workspace,
    at: TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    let cursor = Cursor::of(workspace, &at)?;
    let reading = &cursor.reading;
    if let Some(module) = used_file(&cursor) {
        let uri = reading.uris.get(reading.program.modules[module].source)?;
        let top = Location::new(uri.clone(), Range::default());
        return Some(GotoDefinitionResponse::Scalar(top));
    }
    let declared = &reading.index.declarations[cursor.declaration()?];
    let place = reading
        .uris
        .location(&reading.program.sources, declared.span)?;
    Some(GotoDefinitionResponse::Scalar(place))
}

/// The module of a `use` whose path or prefix is under the cursor.
fn used_file(cursor: &Cursor) -> Option<usize> {
    let module = &cursor.reading.program.modules[0];
    let here = module.file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Use(decl) if item.span.touches(cursor.offset) => Some(decl),
        _ => None,
    })?;
    let on_it = here.path_span.touches(cursor.offset) || here.name.span.touches(cursor.offset);
    on_it.then(|| module.uses.get(&here.name.text).copied())?
}

/// All mentions of the name under the cursor.
pub fn references(workspace: &mut Workspace, params: ReferenceParams) -> Option<Vec<Location>> {
    let cursor = Cursor::of(workspace, &params.text_document_position)?;
    let mentions = DeclarationMentions::of(workspace, &cursor)?;
    let declared = mentions.declared.clone();
    let keep = |place: &Location| params.context.include_declaration || *place != declared;
    Some(mentions.into_places().filter(keep).collect())
}

/// The mentions of the name under the cursor in this document.
pub fn highlight(
    workspace: &mut Workspace,
    at: TextDocumentPositionParams,
) -> Option<Vec<DocumentHighlight>> {
    let cursor = Cursor::of(workspace, &at)?;
    let declaration = cursor.declaration()?;
    let index = &cursor.reading.index;
    let source = cursor.reading.program.sources.get(cursor.source);
    let highlight = |span, kind| DocumentHighlight {
        range: place::range(source, span),
        kind: Some(kind),
    };
    let own = index.declarations[declaration].span;
    let own = std::iter::once(highlight(own, DocumentHighlightKind::WRITE))
        .filter(|_| own.source == cursor.source);
    let mentions = index.mentions_of(declaration);
    let mentions = mentions.filter(|span| span.source == cursor.source);
    let mentions = mentions.map(|span| highlight(span, DocumentHighlightKind::READ));
    Some(own.chain(mentions).collect())
}

/// A declaration with its mentions in all files that are known.
pub struct DeclarationMentions {
    pub declared: Location,
    /// The programs that hold it.
    pub readings: Vec<Rc<DocumentSyntax>>,
    /// All places with the text that stands there, the declaration among them.
    places: BTreeMap<(String, (u32, u32)), (Location, String)>,
}

impl DeclarationMentions {
    /// Finds the mentions of the name under the cursor.
    pub fn of(workspace: &mut Workspace, cursor: &Cursor) -> Option<DeclarationMentions> {
        let reading = &cursor.reading;
        let declaration = &reading.index.declarations[cursor.declaration()?];
        let declared = reading
            .uris
            .location(&reading.program.sources, declaration.span)?;
        let mut mentions = DeclarationMentions {
            declared,
            readings: Vec::new(),
            places: BTreeMap::new(),
        };
        mentions.add(reading);
        // Locals and prefixes cannot be seen from other files.
        let is_shared = !matches!(
            declaration.kind,
            DeclarationKind::Argument | DeclarationKind::LoopIndex | DeclarationKind::Import(_)
        );
        if is_shared {
            let open: Vec<Uri> = workspace.documents.iter().map(|d| d.uri.clone()).collect();
            for reading in open.iter().filter_map(|uri| workspace.reading(uri)) {
                mentions.add(&reading);
            }
            for path in workspace.documents.neighbours(&mentions.declared.uri) {
                if let Some(reading) = workspace.reading_of_file(&path) {
                    mentions.add(&Rc::new(reading));
                }
            }
        }
        Some(mentions)
    }

    /// Adds the mentions in one program, if the declaration is part of it.
    fn add(&mut self, reading: &Rc<DocumentSyntax>) {
        let sources = &reading.program.sources;
        let Some(source) = reading.uris.source(&self.declared.uri) else {
            return;
        };
        let text = sources.get(source);
        // Each program has numbers of its own: the declaration is known again by its place.
        let declared = reading.index.declarations.iter().position(|declaration| {
            declaration.span.source == source
                && place::range(text, declaration.span) == self.declared.range
        });
        let Some(at) = declared else {
            return;
        };
        self.readings.push(reading.clone());
        let own = reading.index.declarations[at].span;
        // Programs share files, so places are kept by where they are and come once.
        for span in std::iter::once(own).chain(reading.index.mentions_of(at)) {
            if let Some(place) = reading.uris.location(sources, span) {
                let start = place.range.start;
                let key = (
                    place.uri.as_str().to_string(),
                    (start.line, start.character),
                );
                let word = sources.slice(span).to_string();
                self.places.insert(key, (place, word));
            }
        }
    }

    pub fn into_places(self) -> impl Iterator<Item = Location> {
        self.places.into_values().map(|(place, _)| place)
    }

    pub fn in_file(&self, uri: &Uri) -> impl Iterator<Item = Range> {
        let own = self
            .places
            .values()
            .filter(move |(place, _)| place.uri == *uri);
        own.map(|(place, _)| place.range)
    }

    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.places.values().map(|(_, word)| word.as_str())
    }
}
