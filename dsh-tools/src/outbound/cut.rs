//! Leaves out the middle of a text: where, and what content then is.

use std::ops::Range;

use crate::model::{Content, ContentBlock};

/// How many bytes of text there are in content, a line break between blocks counted in.
pub(super) fn size(content: &Content) -> usize {
    let sizes = texts(content).map(|text| text.len() + 1);
    sizes.sum::<usize>().saturating_sub(1)
}

/// The text in content, a line break between blocks.
pub(super) fn whole(content: &Content) -> String {
    texts(content).collect::<Vec<_>>().join("\n")
}

fn texts(content: &Content) -> impl Iterator<Item = &str> {
    content.blocks().iter().filter_map(text)
}

/// The text of a block that a model reads as text.
fn text(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text { text } => Some(text),
        ContentBlock::Resource { resource } => resource.get("text")?.as_str(),
        ContentBlock::Image { .. }
        | ContentBlock::Audio { .. }
        | ContentBlock::ResourceLink { .. } => None,
    }
}

/// What to leave out of a text that does not fit into so many bytes: its middle, from the start of a
/// line to the end of one where that is near.
pub(super) fn gap(whole: &str, room: usize) -> Range<usize> {
    let head = head_end(whole, room / 2);
    head..tail_start(whole, room - head)
}

/// Where a part of at most so many bytes ends that starts the text: after a line, if one ends in its
/// last quarter.
pub(super) fn head_end(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = text.floor_char_boundary(most);
    let near = end - end / 4;
    let line_end = text.as_bytes()[near..end].iter().rposition(|byte| *byte == b'\n');
    line_end.map_or(end, |place| near + place + 1)
}

/// Where a part of at most so many bytes starts that ends the text, likewise.
fn tail_start(text: &str, most: usize) -> usize {
    let start = text.ceil_char_boundary(text.len() - most);
    let near = &text.as_bytes()[start - 1..start + (text.len() - start) / 4];
    let line_end = near.iter().position(|byte| *byte == b'\n');
    line_end.map_or(start, |place| start + place)
}

/// Content with a note in place of what a gap in its [`whole`] text leaves out.
///
/// Blocks of which nothing is left go; those without text stay.
pub(super) fn without(content: &Content, gap: &Range<usize>, note: &str) -> Content {
    let mut blocks = Vec::new();
    let mut note = Some(note);
    let mut start = 0;
    for block in content.blocks() {
        let Some(text) = text(block) else {
            blocks.push(block.clone());
            continue;
        };
        let end = start + text.len();
        if end <= gap.start || gap.end <= start {
            blocks.push(block.clone());
        } else {
            let (head, rest) = text.split_at(gap.start.saturating_sub(start));
            let (_, tail) = rest.split_at((gap.end.min(end) - start) - head.len());
            blocks.extend(parts(block, head, note.take(), tail));
        }
        start = end + 1;
    }
    // Nothing but line breaks between blocks is left out.
    blocks.extend(note.map(ContentBlock::text));
    blocks.into()
}

/// What is left of a block: one text, or the parts of a resource with a text between.
fn parts(block: &ContentBlock, head: &str, note: Option<&str>, tail: &str) -> Vec<ContentBlock> {
    let left = |part: &&str| !part.is_empty();
    let ContentBlock::Resource { resource } = block else {
        let lines = [head, note.unwrap_or_default(), tail].into_iter().filter(left);
        let text = lines.map(str::to_owned).reduce(|above, below| {
            let line_end = if above.ends_with('\n') { "" } else { "\n" };
            above + line_end + &below
        });
        return text.map(ContentBlock::text).into_iter().collect();
    };
    let part = |text: &str| {
        let mut resource = resource.clone();
        resource.insert("text".to_owned(), text.into());
        ContentBlock::Resource { resource }
    };
    let head = Some(head).filter(left).map(part);
    let tail = Some(tail).filter(left).map(part);
    head.into_iter().chain(note.map(ContentBlock::text)).chain(tail).collect()
}
