//! Diagrams as SVG text.

use super::diagram::{
    LABEL_HEIGHT, LOOP_REACH, NAME_GAP, RADIUS, SMALL_SIZE, SvgDiagram, SvgEdge, SvgNode, SvgShape,
    TEXT_SIZE,
};
use super::layout::{DrawingGraph, DrawingLayout, DrawingPoint, EdgePath, GraphEdge, layout};
use super::measure::text_width;
use super::style::STYLE;
use std::fmt::{self, Write};

/// Room around the drawing.
const MARGIN: f64 = 24.0;
/// Room between the drawing and its caption.
const CAPTION_GAP: f64 = 30.0;

/// Lays the diagram out and writes it.
pub(super) fn draw(diagram: &SvgDiagram) -> String {
    let layout = layout(&graph(diagram));
    let mut out = String::new();
    write_svg(diagram, &layout, &mut out).expect("writing to a string cannot fail");
    out
}

/// The diagram as the layout sees it.
pub(super) fn graph(diagram: &SvgDiagram) -> DrawingGraph {
    let edges = diagram.edges.iter().map(|edge| GraphEdge {
        from: edge.from,
        to: edge.to,
        label: edge.label_extent(),
        pull: edge.pull,
    });
    DrawingGraph {
        nodes: diagram.nodes.iter().map(SvgNode::extent).collect(),
        edges: edges.collect(),
    }
}

fn write_svg(diagram: &SvgDiagram, layout: &DrawingLayout, out: &mut String) -> fmt::Result {
    let caption = Caption::new(diagram);
    let width = layout.width.max(caption.width) + 2.0 * MARGIN;
    let height = layout.height + caption.height + 2.0 * MARGIN;
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" \
         viewBox=\"0 0 {0:.0} {1:.0}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n\
         <style>{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        width.ceil(),
        height.ceil(),
        escape(&diagram.caption),
        escape(&diagram.description),
    )?;
    let shift = DrawingPoint {
        x: (width - layout.width) / 2.0,
        y: MARGIN,
    };
    writeln!(
        out,
        "<g transform=\"translate({:.1} {:.1})\">",
        shift.x, shift.y
    )?;
    for (edge, path) in diagram.edges.iter().zip(&layout.paths) {
        write_edge(edge, path, out)?;
    }
    for (edge, place) in diagram.edges.iter().zip(&layout.labels) {
        if let (Some(label), Some(place)) = (&edge.label, place) {
            write_label(label, *place, out)?;
        }
    }
    for (node, place) in diagram.nodes.iter().zip(&layout.nodes) {
        write_node(node, *place, out)?;
    }
    writeln!(out, "</g>")?;
    caption.write(diagram, MARGIN + layout.height, out)?;
    writeln!(out, "</svg>")
}

fn write_edge(edge: &SvgEdge, path: &EdgePath, out: &mut String) -> fmt::Result {
    let class = if edge.is_reversed {
        "edge back"
    } else {
        "edge"
    };
    write!(out, "<path class=\"{class}\"")?;
    if edge.thickness != 1.0 {
        write!(out, " style=\"stroke-width:{:.1}\"", 1.2 * edge.thickness)?;
    }
    write!(out, " d=\"M{:.1} {:.1}", path.start.x, path.start.y)?;
    for curve in &path.curves {
        let (first, second, end) = (curve.first_control, curve.second_control, curve.end);
        write!(
            out,
            "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            first.x, first.y, second.x, second.y, end.x, end.y
        )?;
    }
    if edge.tooltip.is_empty() {
        writeln!(out, "\"/>")?
    } else {
        writeln!(out, "\"><title>{}</title></path>", escape(&edge.tooltip))?
    }
    if edge.is_reversed {
        write_arrow(path.start, out)?;
    }
    Ok(())
}

/// An arrowhead that points up at `tip`.
fn write_arrow(tip: DrawingPoint, out: &mut String) -> fmt::Result {
    let DrawingPoint { x, y } = tip;
    writeln!(out, "<path class=\"arrow\" d=\"M{x:.1} {y:.1}l-4 8h8z\"/>")
}

fn write_label(label: &str, place: DrawingPoint, out: &mut String) -> fmt::Result {
    let width = text_width(label, SMALL_SIZE) + 4.0;
    writeln!(
        out,
        "<rect class=\"under\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
         height=\"{LABEL_HEIGHT}\" rx=\"3\"/><text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" \
         text-anchor=\"middle\">{}</text>",
        place.x - width / 2.0,
        place.y - LABEL_HEIGHT / 2.0,
        place.x,
        place.y + SMALL_SIZE * 0.35,
        escape(label),
    )
}

fn write_node(node: &SvgNode, at: DrawingPoint, out: &mut String) -> fmt::Result {
    write!(out, "<g><title>{}</title>", escape(&node.tooltip))?;
    match node.shape {
        SvgShape::Sum | SvgShape::Product => write_circle(node, at, out)?,
        SvgShape::Leaf => {
            write_box(node, at, "leaf", 9.0, out)?;
            write_text("", at.x, at.y + TEXT_SIZE * 0.35, &node.text, out)?;
        }
        SvgShape::Group | SvgShape::LeafGroup => {
            let is_leaf = node.shape == SvgShape::LeafGroup;
            let (class, radius) = if is_leaf {
                ("leaf", 9.0)
            } else {
                ("group", 4.0)
            };
            write_box(node, at, class, radius, out)?;
            write_text("title", at.x, at.y - 3.0, &node.text, out)?;
            write_text("quiet", at.x, at.y + 13.0, &node.subtext, out)?;
        }
    }
    if let Some(name) = &node.name {
        let x = at.x + node.box_width() / 2.0 + NAME_GAP;
        write_text_from("name", x, at.y + TEXT_SIZE * 0.35, name, out)?;
    }
    if let Some(label) = &node.own_edges {
        write_loop(node, at, label, out)?;
    }
    writeln!(out, "</g>")
}

fn write_circle(node: &SvgNode, at: DrawingPoint, out: &mut String) -> fmt::Result {
    let is_sum = node.shape == SvgShape::Sum;
    let class = if is_sum { "sum" } else { "product" };
    let top = if node.is_root { " top" } else { "" };
    let DrawingPoint { x, y } = at;
    write!(
        out,
        "<circle class=\"{class}{top}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>"
    )?;
    write_sign(is_sum, at, out)
}

/// A plus or a cross, drawn rather than set: fonts place them differently.
fn write_sign(is_sum: bool, at: DrawingPoint, out: &mut String) -> fmt::Result {
    let DrawingPoint { x, y } = at;
    if is_sum {
        write!(
            out,
            "<path class=\"sign\" d=\"M{:.1} {y:.1}h12M{x:.1} {:.1}v12\"/>",
            x - 6.0,
            y - 6.0
        )
    } else {
        write!(
            out,
            "<path class=\"sign\" d=\"M{0:.1} {1:.1}l9 9M{2:.1} {1:.1}l-9 9\"/>",
            x - 4.5,
            y - 4.5,
            x + 4.5
        )
    }
}

fn write_box(
    node: &SvgNode,
    at: DrawingPoint,
    class: &str,
    radius: f64,
    out: &mut String,
) -> fmt::Result {
    let (width, height) = (node.box_width(), node.box_height());
    let top = if node.is_root { " top" } else { "" };
    write!(
        out,
        "<rect class=\"{class}{top}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" rx=\"{radius}\"/>",
        at.x - width / 2.0,
        at.y - height / 2.0,
    )
}

fn write_text(class: &str, x: f64, y: f64, text: &str, out: &mut String) -> fmt::Result {
    write!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
        escape(text)
    )
}

/// The same from its left end on.
fn write_text_from(class: &str, x: f64, y: f64, text: &str, out: &mut String) -> fmt::Result {
    let text = escape(text);
    write!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
    )
}

/// The loop of a group whose units feed each other.
fn write_loop(node: &SvgNode, at: DrawingPoint, label: &str, out: &mut String) -> fmt::Result {
    let x = at.x + node.box_width() / 2.0;
    let (top, bottom) = (at.y - 10.0, at.y + 10.0);
    let far = x + LOOP_REACH;
    write!(
        out,
        "<path class=\"edge\" d=\"M{x:.1} {bottom:.1}C{far:.1} {:.1} {far:.1} {:.1} {:.1} {top:.1}\"/>\
         <path class=\"arrow\" d=\"M{x:.1} {top:.1}l8 -4v8z\"/>\
         <text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        bottom + 8.0,
        top - 8.0,
        x + 6.0,
        far - 2.0,
        at.y + SMALL_SIZE * 0.35,
        escape(label)
    )
}

/// What stands below the drawing: title, sizes and what the signs mean.
struct Caption {
    width: f64,
    height: f64,
}

impl Caption {
    fn new(diagram: &SvgDiagram) -> Self {
        let title = text_width(&diagram.caption, TEXT_SIZE);
        let sizes = text_width(&diagram.description, SMALL_SIZE);
        let note = diagram
            .note
            .as_deref()
            .map_or(0.0, |n| text_width(n, SMALL_SIZE));
        let legend = if diagram.is_collapsed {
            0.0
        } else {
            LEGEND_WIDTH
        };
        let lines = if diagram.note.is_some() { 3.0 } else { 2.0 };
        Caption {
            width: (title + 24.0 + legend).max(sizes).max(note),
            height: CAPTION_GAP + lines * 17.0,
        }
    }

    fn write(&self, diagram: &SvgDiagram, bottom: f64, out: &mut String) -> fmt::Result {
        let mut y = bottom + CAPTION_GAP + 10.0;
        let x = MARGIN;
        let title = escape(&diagram.caption);
        writeln!(
            out,
            "<text class=\"title\" x=\"{x}\" y=\"{y:.1}\">{title}</text>"
        )?;
        if !diagram.is_collapsed {
            let after = x + text_width(&diagram.caption, TEXT_SIZE) + 24.0;
            write_legend(after, y - 4.5, out)?;
        }
        for line in [Some(&diagram.description), diagram.note.as_ref()] {
            y += 17.0;
            if let Some(line) = line {
                let line = escape(line);
                writeln!(
                    out,
                    "<text class=\"quiet\" x=\"{x}\" y=\"{y:.1}\">{line}</text>"
                )?;
            }
        }
        Ok(())
    }
}

/// Room for the three signs and their words.
const LEGEND_WIDTH: f64 = 190.0;

fn write_legend(x: f64, y: f64, out: &mut String) -> fmt::Result {
    let scaled = |x: f64| format!("<g transform=\"translate({x:.1} {y:.1}) scale(.5)\">");
    let origin = DrawingPoint::default();
    for (at, is_sum, word) in [(0.0, true, "sum"), (54.0, false, "product")] {
        let class = if is_sum { "sum" } else { "product" };
        write!(
            out,
            "{}<circle class=\"{class}\" r=\"{RADIUS}\"/>",
            scaled(x + at)
        )?;
        write_sign(is_sum, origin, out)?;
        write!(out, "</g>")?;
        write_word(x + at + 10.0, y, word, out)?;
    }
    write!(
        out,
        "{}<rect class=\"leaf\" x=\"-18\" y=\"-12\" width=\"36\" height=\"24\" rx=\"9\"/></g>",
        scaled(x + 136.0)
    )?;
    write_word(x + 149.0, y, "input", out)
}

fn write_word(x: f64, y: f64, word: &str, out: &mut String) -> fmt::Result {
    write_text_from("quiet", x, y + SMALL_SIZE * 0.35, word, out)?;
    writeln!(out)
}

/// Text as XML holds it. Control characters have no place in XML at all.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
