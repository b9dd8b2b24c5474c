//! A `tracing` subscriber that keeps spans and events of one thread.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_core::span::Current;

/// Keeps what this crate and the tests tell `tracing`, up to a level.
#[derive(Clone)]
pub(crate) struct Recording {
    level: Level,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    spans: Vec<Span>,
    events: Vec<String>,
    /// The spans that were entered, innermost last.
    entered: Vec<Id>,
}

#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) metadata: &'static Metadata<'static>,
    /// The `otel.name` of the span it is in, or the name of that span.
    pub(crate) parent: Option<String>,
    pub(crate) fields: Fields,
    handles: usize,
}

/// Names and values, as text.
pub(crate) type Fields = BTreeMap<&'static str, String>;

impl Recording {
    /// Listens until the guard is dropped, on this thread.
    pub(crate) fn start(level: Level) -> (Self, tracing::subscriber::DefaultGuard) {
        let recording = Self { level, seen: Arc::default() };
        let guard = tracing::subscriber::set_default(recording.clone());
        (recording, guard)
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.seen().spans.clone()
    }

    /// The fields of the only span.
    #[track_caller]
    pub(crate) fn only_span(&self) -> Fields {
        let spans = self.spans();
        assert_eq!(spans.len(), 1, "{spans:?}");
        spans[0].fields.clone()
    }

    /// Every event as `level name: message fields`, where `name` is that of the span it is in.
    pub(crate) fn events(&self) -> Vec<String> {
        self.seen().events.clone()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

impl Span {
    pub(crate) fn is_closed(&self) -> bool {
        self.handles == 0
    }

    fn name(&self) -> String {
        let name = self.fields.get("otel.name").map(String::as_str);
        name.unwrap_or(self.metadata.name()).to_owned()
    }
}

impl Seen {
    fn span(&mut self, id: &Id) -> &mut Span {
        let index = usize::try_from(id.into_u64() - 1).unwrap();
        &mut self.spans[index]
    }

    fn current(&mut self) -> Option<String> {
        let id = self.entered.last()?.clone();
        Some(self.span(&id).name())
    }
}

impl Subscriber for Recording {
    /// Asked anew each time: tests of other threads have recordings of their own.
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let ours = ["dsh_tools", "it"].iter().any(|target| metadata.target().starts_with(target));
        ours && *metadata.level() <= self.level
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        attributes.record(&mut Text(&mut fields));
        let mut seen = self.seen();
        let parent = if attributes.is_contextual() { seen.current() } else { None };
        seen.spans.push(Span { metadata: attributes.metadata(), parent, fields, handles: 1 });
        Id::from_u64(seen.spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        values.record(&mut Text(&mut self.seen().span(id).fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Text(&mut fields));
        let message = fields.remove("message").unwrap_or_default();
        let mut seen = self.seen();
        let within = seen.current().unwrap_or_default();
        let level = event.metadata().level();
        seen.events.push(format!("{level} {within}: {message} {fields:?}"));
    }

    fn enter(&self, id: &Id) {
        self.seen().entered.push(id.clone());
    }

    fn exit(&self, id: &Id) {
        let left = self.seen().entered.pop();
        assert_eq!(left.as_ref(), Some(id));
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.seen().span(id).handles += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut seen = self.seen();
        let span = seen.span(&id);
        span.handles -= 1;
        span.is_closed()
    }

    fn current_span(&self) -> Current {
        let mut seen = self.seen();
        match seen.entered.last().cloned() {
            Some(id) => {
                let metadata = seen.span(&id).metadata;
                Current::new(id, metadata)
            }
            None => Current::none(),
        }
    }
}

struct Text<'a>(&'a mut Fields);

impl Visit for Text<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}
