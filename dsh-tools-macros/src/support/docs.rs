//! Doc comments as text for a model: a paragraph is one line, however it was wrapped in the source.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use super::report::{Report, Result};
use crate::diag;

/// Tells whether the attribute is a doc comment, and not one like `#[doc(hidden)]`.
pub(crate) fn is_doc_comment(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") && matches!(attribute.meta, Meta::NameValue(_))
}

/// Returns the text of the doc comment, or `None` if there is none or it is blank.
pub(crate) fn text(attributes: &[Attribute], report: &mut Report) -> Option<String> {
    let comments = attributes.iter().filter(|a| is_doc_comment(a));
    let comments: Vec<String> = comments.filter_map(|a| report.handle(read(a))).collect();
    non_blank(&reflow(comments.iter().flat_map(|comment| lines(comment))))
}

/// Trims a text; a blank one is none.
pub(crate) fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn read(attribute: &Attribute) -> Result<String> {
    let mut value = &attribute.meta.require_name_value()?.value;
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.value()),
        made => Err(diag::doc_not_a_literal(made)),
    }
}

/// Splits one comment into lines without what belongs to the comment's form: one leading space
/// after `///`, the common indentation and the column of stars after `/**`.
fn lines(comment: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = comment.split('\n').map(str::trim_end).collect();
    if let [line] = lines.as_mut_slice() {
        *line = line.strip_prefix(' ').unwrap_or(line);
        return lines;
    }
    let Some((first, rest)) = lines.split_first_mut() else {
        return lines;
    };
    *first = first.trim_start();
    let is_starred = |line: &&str| line.trim_start().starts_with('*');
    if rest.iter().filter(|line| !line.is_empty()).all(is_starred) {
        for line in rest.iter_mut() {
            *line = line.trim_start().trim_start_matches('*');
        }
    }
    let indentation = |line: &&mut &str| line.len() - line.trim_start().len();
    let common = rest.iter_mut().filter(|line| !line.is_empty());
    let common = common.map(|line| indentation(&line)).min().unwrap_or(0);
    for line in rest {
        *line = line.get(common..).unwrap_or("");
    }
    lines
}

/// Joins the lines of a paragraph; what Markdown reads line by line stays as it is.
fn reflow<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut is_fenced = false;
    let mut previous = "";
    for line in lines {
        let is_fence = line.trim_start().starts_with("```");
        let is_verbatim = is_fenced || is_fence || starts_block(line) || ends_block(previous);
        if !text.is_empty() {
            let is_joined = !is_verbatim && !line.is_empty() && !previous.is_empty();
            text.push(if is_joined { ' ' } else { '\n' });
        }
        let is_kept = is_fenced || starts_block(line);
        text.push_str(if is_kept { line } else { line.trim_start() });
        is_fenced ^= is_fence;
        // What follows a closed fence is a line of its own.
        previous = if is_fence || is_fenced { "```" } else { line };
    }
    single_blank_lines(&text)
}

/// Tells whether a line is not a continuation: an item of a list, a heading, a table, a quotation.
fn starts_block(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    let starts = ["- ", "* ", "+ ", "|", ">"];
    is_numbered || is_heading(line) || starts.iter().any(|start| line.starts_with(start))
}

/// Tells whether nothing can continue a line: a heading, a fence.
fn ends_block(line: &str) -> bool {
    is_heading(line) || line.starts_with("```")
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

fn single_blank_lines(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::support::report::Report;
    use syn::{Attribute, ItemStruct};

    #[track_caller]
    fn check(source: &str, expected: Option<&str>) {
        let item: ItemStruct = syn::parse_str(&format!("{source}\nstruct X;")).unwrap();
        let attributes: Vec<Attribute> = item.attrs;
        let mut report = Report::new(String::new());
        assert_eq!(text(&attributes, &mut report).as_deref(), expected);
        assert!(report.finish(()).is_ok());
    }

    #[test]
    fn nothing_is_no_text() {
        check("", None);
        check("///\n///  ", None);
        check("#[doc(hidden)]", None);
    }

    #[test]
    fn a_wrapped_paragraph_is_one_line() {
        check("/// Reads a\n/// file.\n///\n///\n/// Slowly.", Some("Reads a file.\n\nSlowly."));
        check("#[doc = \"Reads.\"]\n#[doc(hidden)]\n/// More.", Some("Reads. More."));
    }

    #[test]
    fn markdown_lines_stay_lines() {
        check(
            "/// Either:\n/// - one that\n///   goes on\n/// - two\n///\n/// 1. x\n/// 2. y",
            Some("Either:\n- one that goes on\n- two\n\n1. x\n2. y"),
        );
        check("/// # Head\n/// text\n/// more", Some("# Head\ntext more"));
        check("/// | a |\n/// | b |", Some("| a |\n| b |"));
    }

    #[test]
    fn code_stays_as_it_is() {
        check(
            "/// Like\n/// ```json\n/// {\n///   \"a\": 1\n/// }\n/// ```\n/// and so\n/// on",
            Some("Like\n```json\n{\n  \"a\": 1\n}\n```\nand so on"),
        );
    }

    #[test]
    fn block_comments_lose_their_frame() {
        check("/** Reads a\n  * file.\n  *\n  * Slowly.\n  */", Some("Reads a file.\n\nSlowly."));
        check("/**\n    Reads a\n    file.\n*/", Some("Reads a file."));
    }
}
