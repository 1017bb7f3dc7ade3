//! Scripts in the world of the page, which is the only one that WebDriver offers. Legwork's script is there under a
//! random name.

use serde_json::{Value, json};

use super::{WebDriver, done, gone, refused};
use crate::{
    driver::{ContextRef, DriverError, Pending, SessionId, Worlds, script_expression},
    webdriver::{page, wire::CommandError},
};

impl WebDriver {
    fn evaluate_in(&self, tab: &str, world: Option<&str>, expression: String, ours: bool) -> Pending<Value> {
        let Some(queue) = self.queue(tab) else { return gone() };
        let (tab, world) = (tab.to_owned(), world.map(str::to_owned));
        queue.add(move |context, answer| {
            Box::pin(async move {
                let main = context.tabs.get(&tab).and_then(|known| known.frames.get(&tab)?.key.clone());
                match world.or(main) {
                    Some(world) => context.evaluate(&tab, &world, &expression, ours, answer).await,
                    None => drop(answer.send(Err(DriverError::TargetClosed))),
                }
            })
        })
    }
}

impl Worlds for WebDriver {
    fn create_isolated_world(&self, session: &SessionId, _frame: &str) -> Pending<()> {
        // A look sets up each document.
        let Some(queue) = self.queue(session) else { return gone() };
        let tab = session.to_string();
        queue.in_tab(session, move |context| {
            Box::pin(async move {
                context.look_at(&tab).await;
                Ok(())
            })
        })
    }

    fn evaluate(&self, context_ref: ContextRef<'_>, expression: String) -> Pending<Value> {
        self.evaluate_in(context_ref.session, Some(context_ref.name), expression, true)
    }

    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value> {
        let script = script_expression(script);
        let call = |value: &str| format!("(value=>typeof value==='function'?value():value)({value})");
        let first = self.evaluate_in(session, None, call(&script), false);
        // Scripts may be statements, whose value is that of the last one, or await at their top level.
        let whole = call(&format!("(0,eval)({})", json!(script)));
        let awaiting = format!("(async()=>{})()", call(&format!("await(async()=>({script}))()")));
        let awaiting = script.contains("await").then_some(awaiting);
        let (driver, tab) = (WebDriver { shared: std::sync::Arc::clone(&self.shared) }, session.clone());
        Pending::new(async move {
            let mut last = first.await;
            for again in [awaiting, Some(whole)].into_iter().flatten() {
                match last {
                    Err(DriverError::Exception(said)) if said.starts_with("SyntaxError") => {
                        last = driver.evaluate_in(&tab, None, again, false).await;
                    }
                    other => return other,
                }
            }
            last
        })
    }

    fn evaluate_in_worker(&self, _session: &SessionId, _expression: String) -> Pending<Value> {
        refused("WebDriver evaluates no script in a worker")
    }

    fn call_in_page(&self, context_ref: ContextRef<'_>, element: String, function: &str) -> Pending<Value> {
        let expression = page::call_with(context_ref.name, &element, &script_expression(function));
        self.evaluate_in(context_ref.session, Some(context_ref.name), expression, false)
    }

    fn load(&self, _context_ref: ContextRef<'_>, _source: String) -> Pending<()> {
        // Each document has the bundle from its first report on.
        done()
    }

    fn with_closed_roots(&self, _context_ref: ContextRef<'_>, _elements: String, _function: &str) -> Pending<usize> {
        // Closed roots from markup are not readable; see the table of capabilities.
        Pending::new(async { Ok(0) })
    }

    fn interrupt(&self, _session: &SessionId) {
        // The protocol has no command for it; see the table of capabilities.
    }

    fn of_owner(&self, context_ref: ContextRef<'_>, frame: &str, function: &str) -> Pending<Value> {
        let Some(queue) = self.queue(context_ref.session) else { return gone() };
        let (tab, world) = (context_ref.session.to_string(), context_ref.name.to_owned());
        let number = frame.rsplit_once('.').map(|(_, number)| number.to_owned()).unwrap_or_default();
        let frame = frame.to_owned();
        let function = function.to_owned();
        queue.in_tab(context_ref.session, move |context| {
            Box::pin(async move {
                // The element is found by the reporter of the document that contains it, which the world may read.
                let parent = context
                    .tabs
                    .get(&tab)
                    .and_then(|known| {
                        let parent = known.frames.get(&frame)?.parent.clone()?;
                        known.frames.get(&parent)?.key.clone()
                    })
                    .ok_or(DriverError::TargetClosed)?;
                let expression = format!(
                    "(own=>{{const of=view=>{{if(view[{parent}])return view[{parent}];\
                     for(let at=0;at<view.length;at++){{try{{const found=of(view[at]);if(found)return found}}catch{{}}}}}};\
                     const element=of(window)?.element({number});return element&&own.call(element)}})({function})",
                    parent = json!(parent),
                );
                let expression = format!("(legwork=>({expression}))(legwork)");
                let result = context.evaluate_now(&tab, &world, &expression).await?;
                if result.is_null() { Err(CommandError::Driver(DriverError::TargetClosed)) } else { Ok(result) }
            })
        })
    }
}
