//! Text put together in constant evaluation, where `format!` cannot run.

use super::rules::Finding;

/// Where a constant walk is: a list on the stack, from the node to the root.
pub(super) struct At<'a> {
    pub(super) subject: &'a [&'a str],
    pub(super) above: Option<&'a At<'a>>,
    pub(super) step: Step<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Root,
    Property(&'a str),
    Items,
    Values,
    Branch(usize),
}

impl<'a> At<'a> {
    pub(super) const fn step(&'a self, step: Step<'a>) -> Self {
        At { subject: self.subject, above: Some(self), step }
    }
}

/// Text put together while a crate compiles.
pub(super) struct Message {
    bytes: [u8; Self::ROOM],
    length: usize,
}

impl Message {
    const ROOM: usize = 2048;

    /// `<subject>: $.path: `, the start of every finding.
    pub(super) const fn at(at: &At<'_>) -> Self {
        Self::new(at.subject).push(": ").path(at).push(": ")
    }

    pub(super) const fn new(pieces: &[&str]) -> Self {
        let mut message = Self { bytes: [0; Self::ROOM], length: 0 };
        let mut index = 0;
        while index < pieces.len() {
            message = message.push(pieces[index]);
            index += 1;
        }
        message
    }

    const fn path(self, at: &At<'_>) -> Self {
        let message = match at.above {
            Some(above) => self.path(above),
            None => self,
        };
        match at.step {
            Step::Root => message.push("$"),
            Step::Property(name) => message.push(".").push(name),
            Step::Items => message.push("[]"),
            Step::Values => message.push("{}"),
            Step::Branch(index) => message.push("<").digits(index).push(">"),
        }
    }

    /// Appends whole texts only, so what is there stays valid UTF-8 when the room is used up.
    pub(super) const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.length + text.len() <= Self::ROOM {
            let mut index = 0;
            while index < text.len() {
                self.bytes[self.length] = text[index];
                self.length += 1;
                index += 1;
            }
        }
        self
    }

    /// Appends what is wrong.
    pub(super) const fn finding(self, finding: Finding) -> Self {
        self.push(finding.0).push(finding.1).push(finding.2)
    }

    const fn digits(self, number: usize) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let message = if number >= 10 { self.digits(number / 10) } else { self };
        message.push(DIGITS[number % 10])
    }

    #[track_caller]
    pub(super) const fn fail(&self) -> ! {
        let (text, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a schema rule is broken"),
        }
    }
}

/// Whether two texts are equal, in constant evaluation.
pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
