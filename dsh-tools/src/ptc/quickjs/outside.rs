//! What a program sees of the outside: `tools`, `ToolCallError`, `console` and timers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rquickjs::function::Function;
use rquickjs::{Array, Ctx, Object, Result, Value as Js};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::Watch;
use super::value::{Plain, Refusal, show, to_json};
use crate::json::to_text;
use crate::ptc::bindings::Bindings;
use crate::ptc::runtime::Argument;

/// Something that a program waited for.
pub(super) struct Arrival {
    number: u32,
    what: What,
}

enum What {
    Passed,
    Answered { tool: String, answer: std::result::Result<Value, String> },
}

/// Gives a program what it may use, before any of it runs; what comes of it arrives at `arrivals`.
///
/// The functions of the host hold no value of the engine: it could not see them, nor free what they hold.
pub(super) fn install<'js>(
    ctx: &Ctx<'js>,
    bindings: Bindings,
    watch: &Arc<Watch>,
    arrivals: UnboundedSender<Arrival>,
) -> Result<Object<'js>> {
    let names = Array::new(ctx.clone())?;
    for (index, name) in bindings.names().iter().enumerate() {
        names.set(index, name.as_str())?;
    }
    let numbers = Arc::new(AtomicU32::new(1));
    let (arriving, counting) = (arrivals.clone(), Arc::clone(&numbers));
    let call = Function::new(
        ctx.clone(),
        move |kit: Object<'js>, tool: String, given: bool, argument: Js<'js>| {
            let argument = read(&argument, given, &Plain::of(&kit)?);
            let number = counting.fetch_add(1, Ordering::Relaxed);
            let (call, arriving) = (bindings.call(&tool, argument), arriving.clone());
            drop(tokio::spawn(async move {
                let what = What::Answered { answer: call.await, tool };
                // A program that has ended waits for nothing.
                let _awaited = arriving.send(Arrival { number, what });
            }));
            Ok::<_, rquickjs::Error>(number)
        },
    )?;
    let printing = Arc::clone(watch);
    let print = Function::new(ctx.clone(), move |kit: Object<'js>, parts: Array<'js>| {
        let plain = Plain::of(&kit)?;
        let parts = parts.iter::<Js<'js>>().flatten().map(|part| show(&part, &plain));
        printing.print(&parts.collect::<Vec<_>>().join(" "));
        Ok::<_, rquickjs::Error>(())
    })?;
    let pause = Function::new(ctx.clone(), move |ms: f64| {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let time = Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default();
        let arrivals = arrivals.clone();
        drop(tokio::spawn(async move {
            tokio::time::sleep(time).await;
            let _awaited = arrivals.send(Arrival { number, what: What::Passed });
        }));
        number
    })?;
    let prelude: Function<'js> = ctx.eval(include_str!("prelude.js"))?;
    prelude.call((names, call, print, pause))
}

impl Arrival {
    /// Tells the program, which goes on with its next job.
    pub(super) fn tell(self, kit: &Object<'_>) -> Result<()> {
        match self.what {
            What::Passed => kit.get::<_, Function<'_>>("resolve")?.call((self.number,)),
            What::Answered { answer: Ok(value), .. } => {
                kit.get::<_, Function<'_>>("resolve")?.call((self.number, to_text(&value)))
            }
            What::Answered { answer: Err(message), tool } => {
                kit.get::<_, Function<'_>>("reject")?.call((self.number, tool, message))
            }
        }
    }
}

fn read<'js>(argument: &Js<'js>, given: bool, plain: &Plain<'js>) -> Argument {
    if !given {
        return Argument::Missing;
    }
    match to_json(argument, plain) {
        Ok(value) => Argument::Value(value),
        Err(Refusal::NotJson) => Argument::Missing,
        Err(Refusal::Unreadable(why)) => Argument::Unreadable(why),
    }
}
