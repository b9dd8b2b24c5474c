//! A writer in memory that can be full.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// A file that several may hold; while it is full, a write keeps the first half and fails.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<Contents>>);

#[derive(Default)]
struct Contents {
    bytes: Vec<u8>,
    full: bool,
}

impl Disk {
    pub(crate) fn set_full(&self, full: bool) {
        self.0.lock().unwrap().full = full;
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().bytes.clone()).unwrap()
    }

    /// How many whole lines there are.
    pub(crate) fn lines(&self) -> usize {
        self.text().matches('\n').count()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut contents = self.0.lock().unwrap();
        if !contents.full {
            contents.bytes.extend(bytes);
            return Ok(bytes.len());
        }
        contents.bytes.extend(&bytes[..bytes.len() / 2]);
        Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
