//! What a person sees: standard output for results, standard error for everything else.

use std::io::{IsTerminal, Write, stderr, stdout};

/// Writes to the two standard streams. A reader that went away is not an error.
pub(super) struct Output;

impl Output {
    /// A result, or a part of one; control characters are only shown to programs.
    pub(super) fn result(text: &str) {
        if stdout().is_terminal() { print(stdout(), &visible(text)) } else { print(stdout(), text) }
    }

    /// Something about what is going on.
    pub(super) fn note(text: &str) {
        print(stderr(), &dim(&visible(text)));
    }

    /// Why nothing happened.
    pub(super) fn error(text: &str) {
        print(stderr(), &format!("error: {}", visible(text)));
    }
}

fn print(mut stream: impl Write, text: &str) {
    // Nobody reads any more (`| head`), and there is nobody else to tell.
    let _gone = writeln!(stream, "{text}");
}

/// The text with control characters written out, so that none can move the cursor, hide what was
/// written, or turn its direction around.
pub(super) fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let unsafe_here = (c.is_control() && c != '\n' && c != '\t')
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let escaped = unsafe_here.then(|| c.escape_unicode());
            let plain = (!unsafe_here).then_some(c);
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

/// Dimmed on a terminal that has colours.
pub(super) fn dim(text: &str) -> String {
    styled(text, "2")
}

/// Bold on a terminal that has colours.
pub(super) fn bold(text: &str) -> String {
    styled(text, "1")
}

fn styled(text: &str, style: &str) -> String {
    if stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\u{1b}[{style}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
