//! `QuickJS` in the process of the host.

mod outside;
mod value;

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rquickjs::context::EvalOptions;
use rquickjs::{
    CaughtError, Context, Ctx, Exception, Function, Object, Promise, Runtime, Value as Js,
};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use self::outside::Arrival;
use self::value::Plain;

use super::ledger::Ledger;
use super::runtime::{Budgets, CodeRuntime, Failure, FailureKind, Outcome, Program};
use crate::hooks::BoxFuture;
use crate::model::{ToolError, ToolResult};

/// Runs programs with `QuickJS`, in the process of the host.
///
/// For tests and for programs that are trusted: this contains a program, and is no security boundary. A
/// fault of the engine takes the host with it, a loop keeps one thread of the runtime busy until its time is
/// up, and built-in functions that run long are not stopped half-way.
///
/// Programs are JavaScript; types are not stripped yet.
///
/// ```
/// use dsh_tools::ptc::{PtcExecutor, QuickJs};
/// use dsh_tools::{Batch, ToolCall, ToolRegistry};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let executor = PtcExecutor::new(QuickJs::new());
/// let registry = ToolRegistry::builder().executor(executor).build()?;
/// let arguments = r#"{"description": "Add two numbers", "code": "return 1 + 2"}"#;
/// let batch = Batch::new([ToolCall::new("1", "run_code", arguments)]);
/// let outcome = registry.execute_batch(batch).await?;
/// assert_eq!(outcome.results[0].result().content().to_string(), "3");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QuickJs(());

/// How much of the thread's stack a program may use.
const STACK: usize = 512 * 1024;

/// What the program and those who watch it share.
struct Watch {
    budgets: Budgets,
    cancellation: CancellationToken,
    begun: Instant,
    /// Why the program has to end, the first reason there was.
    reason: Mutex<Option<Failure>>,
    ended: AtomicBool,
    meter: Mutex<Meter>,
    ledger: Mutex<Option<Ledger>>,
}

/// How long the program has computed.
#[derive(Default)]
struct Meter {
    before: Duration,
    /// Since when the engine is at work, if it is.
    since: Option<Instant>,
}

impl QuickJs {
    /// The runtime.
    pub fn new() -> Self {
        Self(())
    }
}

impl CodeRuntime for QuickJs {
    fn language(&self) -> &'static str {
        "typescript"
    }

    fn isolation(&self) -> &'static str {
        "none"
    }

    fn run(&self, program: Program) -> BoxFuture<'_, ToolResult<Outcome>> {
        Box::pin(async move {
            let cancellation = program.cancellation.clone();
            let watch = Arc::new(Watch::new(program.budgets, cancellation.clone()));
            if watch.has_to_end() {
                return Ok(watch.outcome(None));
            }
            let running = pin!(metered(&watch, evaluate(program, Arc::clone(&watch))));
            let returned = tokio::select! {
                biased;
                () = cancellation.cancelled() => {
                    watch.end(aborted());
                    None
                }
                () = tokio::time::sleep(watch.budgets.wall) => {
                    watch.end(watch.too_long());
                    None
                }
                // The engine polls what programs wait for without a task of its own.
                returned = tokio::task::unconstrained(running) => returned?,
            };
            Ok(watch.outcome(returned))
        })
    }
}

impl Watch {
    fn new(budgets: Budgets, cancellation: CancellationToken) -> Self {
        Self {
            budgets,
            cancellation,
            begun: Instant::now(),
            reason: Mutex::new(None),
            ended: AtomicBool::new(false),
            meter: Mutex::default(),
            ledger: Mutex::new(Some(Ledger::new(budgets.output_bytes))),
        }
    }

    /// Ends the program; the first reason counts.
    fn end(&self, failure: Failure) {
        lock(&self.reason).get_or_insert(failure);
        self.ended.store(true, Ordering::SeqCst);
    }

    fn print(&self, line: &str) {
        let printed = lock(&self.ledger).as_mut().map(|ledger| ledger.print(line));
        if let Some(Err(limit)) = printed {
            self.end(Failure::new(FailureKind::OutputLimit, limit.to_string()));
        }
    }

    fn too_long(&self) -> Failure {
        let wall = self.budgets.wall.as_millis();
        Failure::new(FailureKind::Timeout, format!("wall-clock ceiling reached ({wall}ms)"))
    }

    /// Whether the engine has to stop, which asks again and again.
    fn has_to_end(&self) -> bool {
        if self.cancellation.is_cancelled() {
            self.end(aborted());
        }
        if self.begun.elapsed() > self.budgets.wall {
            self.end(self.too_long());
        }
        if lock(&self.meter).busy() > self.budgets.compute {
            let busy = self.budgets.compute.as_millis();
            let message = format!("compute budget exhausted ({busy}ms busy)");
            self.end(Failure::new(FailureKind::Timeout, message));
        }
        self.ended.load(Ordering::SeqCst)
    }

    /// What became of the program, after it has ended.
    fn outcome(&self, returned: Option<Result<Option<Value>, Failure>>) -> Outcome {
        let ledger = lock(&self.ledger).take();
        let (value, failed) = match returned {
            Some(Ok(value)) => (value, None),
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        let failure = lock(&self.reason).clone().or(failed);
        Outcome {
            value: value.filter(|_| failure.is_none()),
            logs: ledger.map(Ledger::into_lines).unwrap_or_default(),
            failure,
        }
    }
}

impl Meter {
    fn busy(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn aborted() -> Failure {
    Failure::new(FailureKind::Abort, "the run was cancelled")
}

/// Polls the engine, and counts how long that takes.
async fn metered<T>(watch: &Watch, engine: impl Future<Output = T>) -> T {
    let mut engine = pin!(engine);
    poll_fn(|cx| {
        lock(&watch.meter).since = Some(Instant::now());
        let polled = engine.as_mut().poll(cx);
        let mut meter = lock(&watch.meter);
        (meter.before, meter.since) = (meter.busy(), None);
        polled
    })
    .await
}

type Returned = Option<Result<Option<Value>, Failure>>;

/// Runs the program in a fresh engine; what it returned, or how it failed by itself.
///
/// Its jobs are run one by one, so that none of them keeps the others from being watched.
async fn evaluate(program: Program, watch: Arc<Watch>) -> ToolResult<Returned> {
    let engine = Runtime::new().map_err(missing)?;
    engine.set_memory_limit(usize::try_from(watch.budgets.heap_bytes).unwrap_or(usize::MAX));
    engine.set_max_stack_size(STACK);
    let asked = Arc::clone(&watch);
    engine.set_interrupt_handler(Some(Box::new(move || asked.has_to_end())));
    let context = Context::full(&engine).map_err(missing)?;
    let (arrivals, mut arrived) = mpsc::unbounded_channel();
    let begun = context
        .with(|ctx| begin(&ctx, program, &watch, arrivals).map_err(|error| thrown(&ctx, error)));
    if let Err(failure) = begun {
        return Ok(Some(Err(failure)));
    }
    loop {
        while !watch.has_to_end() {
            match engine.execute_pending_job() {
                Ok(true) => {}
                Ok(false) => break,
                // What a job throws is told by the promise that it is a job of, if there is memory.
                Err(_) => {
                    if let Some(failure) = context.with(|ctx| out_of_memory(&ctx.catch())) {
                        watch.end(failure);
                    }
                }
            }
        }
        if watch.has_to_end() {
            return Ok(None);
        }
        if let Some(ended) = context.with(|ctx| ended(&ctx)) {
            return Ok(Some(ended));
        }
        // The sender is held by the engine, so something may always come.
        let Some(arrival) = arrived.recv().await else { return Ok(None) };
        context.with(|ctx| tell(&ctx, arrival));
        while let Ok(arrival) = arrived.try_recv() {
            context.with(|ctx| tell(&ctx, arrival));
        }
    }
}

fn begin<'js>(
    ctx: &Ctx<'js>,
    program: Program,
    watch: &Arc<Watch>,
    arrivals: mpsc::UnboundedSender<Arrival>,
) -> rquickjs::Result<()> {
    let kit = outside::install(ctx, program.bindings, watch, arrivals)?;
    let mut options = EvalOptions::default();
    options.strict = true;
    options.filename = Some("program".to_owned());
    // The wrapper stands in the first line of the program, so its lines keep their numbers.
    let source = format!("(async () => {{{}\n}})()", program.source);
    let promise: Promise<'js> = ctx.eval_with_options(source, options)?;
    kit.get::<_, Function<'js>>("begin")?.call((promise,))
}

/// What the prelude keeps for the host.
fn kit<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
    ctx.globals().get("__dsh_main__")
}

/// What came of the program, if it has ended.
fn ended(ctx: &Ctx<'_>) -> Option<Result<Option<Value>, Failure>> {
    let look = || -> rquickjs::Result<Option<Result<Option<Value>, Failure>>> {
        let kit = kit(ctx)?;
        let promise: Promise<'_> = kit.get::<_, Function<'_>>("main")?.call(())?;
        let Some(returned) = promise.result::<Js<'_>>() else { return Ok(None) };
        let returned = returned?;
        if returned.is_undefined() {
            return Ok(Some(Ok(None)));
        }
        let not_json = |_refused| {
            let message = "program completion must be lossless JSON";
            Failure::new(FailureKind::InvalidOutput, message)
        };
        let value = value::to_json(&returned, &Plain::of(&kit)?);
        Ok(Some(value.map(Some).map_err(not_json)))
    };
    look().unwrap_or_else(|error| Some(Err(thrown(ctx, error))))
}

fn tell(ctx: &Ctx<'_>, arrival: Arrival) {
    if kit(ctx).and_then(|kit| arrival.tell(&kit)).is_err() {
        // What a timer throws belongs to nobody.
        drop(ctx.catch());
    }
}

fn thrown(ctx: &Ctx<'_>, error: rquickjs::Error) -> Failure {
    failure(CaughtError::from_error(ctx, error))
}

/// What a program threw, as text.
fn failure(caught: CaughtError<'_>) -> Failure {
    let message = match caught {
        CaughtError::Exception(exception) => {
            if let Some(failure) = out_of_memory(exception.as_value()) {
                return failure;
            }
            let name = exception.get::<_, String>("name").unwrap_or_else(|_| "Error".into());
            let message = exception.message().unwrap_or_default();
            let stack = exception.stack().filter(|stack| !stack.trim().is_empty());
            let stack = stack.map(|stack| format!("\n{}", stack.trim_end()));
            format!("{name}: {message}{}", stack.unwrap_or_default())
        }
        CaughtError::Value(thrown) => {
            if let Some(failure) = out_of_memory(&thrown) {
                return failure;
            }
            match thrown.as_string().map(rquickjs::String::to_string) {
                Some(Ok(text)) => text,
                _ => "program threw an unrenderable value".to_owned(),
            }
        }
        CaughtError::Error(error) => error.to_string(),
    };
    Failure::new(FailureKind::Exception, message)
}

/// That the engine has no memory left, if that is what was thrown; for an error there may have been
/// none either.
fn out_of_memory(thrown: &Js<'_>) -> Option<Failure> {
    let says_so =
        |error: &Exception<'_>| error.message().is_some_and(|text| text == "out of memory");
    let is_out = thrown.is_null() || thrown.as_exception().is_some_and(says_so);
    is_out.then(|| Failure::new(FailureKind::WorkerExit, "out of memory"))
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn missing(error: rquickjs::Error) -> ToolError {
    ToolError::new(format!("the engine for programs cannot start: {error}"))
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("budgets", &self.budgets).finish_non_exhaustive()
    }
}
