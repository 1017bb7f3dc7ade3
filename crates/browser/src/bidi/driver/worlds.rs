//! Scripts in a sandbox or in the page's main world.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Bidi, LATE_WORLD};
use crate::{
    bidi::remote_value::json_of,
    driver::{ContextRef, DriverError, Pending, SessionId, Worlds, script_expression},
};

/// The value of an evaluation, or its exception.
fn result_of(evaluated: Value) -> Result<Value, DriverError> {
    let mut evaluated = evaluated;
    if evaluated["type"] != "exception" {
        return Ok(evaluated["result"].take());
    }
    let said = evaluated["exceptionDetails"]["text"].as_str().unwrap_or_default();
    // A page that is left rejects what it was asked for.
    if said.contains("NS_ERROR_NOT_INITIALIZED") || said.contains("can't access dead object") {
        return Err(DriverError::TargetClosed);
    }
    Err(DriverError::Exception(said.to_owned()))
}

/// Serializes the value in the page, because typed values of large captures would take many times their size.
fn serialized(expression: &str) -> String {
    format!(
        "(value=>{{const text=value=>JSON.stringify(value);\
         return value&&typeof value.then==='function'?value.then(text):text(value)}})({expression})"
    )
}

fn parsed(result: &Value) -> Result<Value, DriverError> {
    match result["value"].as_str() {
        Some(text) => serde_json::from_str(text).map_err(|error| DriverError::Refused(error.to_string())),
        None => Ok(Value::Null),
    }
}

fn target(context_ref: ContextRef<'_>) -> Value {
    json!({ "realm": context_ref.name })
}

fn shared(node: &Value) -> Option<Value> {
    node["sharedId"].as_str().map(|id| json!({ "sharedId": id }))
}

impl Bidi {
    fn evaluate_in(
        &self,
        session: &SessionId,
        target: &Value,
        expression: &str,
        extra: &[(&str, Value)],
    ) -> Pending<Value> {
        let mut params = json!({"expression": expression, "target": target, "awaitPromise": true});
        for (name, value) in extra {
            params[*name] = value.clone();
        }
        let evaluated = self.ask(Some(session), "script.evaluate", &params);
        Pending::new(async move { result_of(evaluated.await?) })
    }
}

impl Worlds for Bidi {
    fn create_isolated_world(&self, session: &SessionId, frame: &str) -> Pending<()> {
        let target = json!({"context": frame, "sandbox": LATE_WORLD});
        let created = self.evaluate_in(session, &target, "0", &[]);
        Pending::new(async move { created.await.map(drop) })
    }

    fn evaluate(&self, context_ref: ContextRef<'_>, expression: String) -> Pending<Value> {
        let result = self.evaluate_in(context_ref.session, &target(context_ref), &serialized(&expression), &[]);
        Pending::new(async move { parsed(&result.await?) })
    }

    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value> {
        let target = json!({ "context": &**session });
        let owned = [("resultOwnership", json!("root")), ("userActivation", json!(true))];
        let script = script_expression(script);
        let first = self.evaluate_in(session, &target, &script, &owned);
        let (connection, session) = (self.inner.connection.clone(), session.clone());
        Pending::new(async move {
            let result = match first.await {
                // Scripts may await at their top level, which an evaluation cannot.
                Err(DriverError::Exception(said)) if said.starts_with("SyntaxError") && script.contains("await") => {
                    let again = json!({
                        "expression": format!("(async()=>({script}))()"), "target": target, "awaitPromise": true,
                        "resultOwnership": "root", "userActivation": true,
                    });
                    result_of(connection.call(Some(&session), "script.evaluate", &again).await?)?
                }
                other => other?,
            };
            let Some(handle) = result["handle"].as_str().filter(|_| result["type"] == "function") else {
                return Ok(json_of(&result));
            };
            let call = json!({
                "functionDeclaration": "async function(given){return await given()}",
                "arguments": [{ "handle": handle }], "target": target, "awaitPromise": true, "userActivation": true,
            });
            Ok(json_of(&result_of(connection.call(Some(&session), "script.callFunction", &call).await?)?))
        })
    }

    fn evaluate_in_worker(&self, session: &SessionId, expression: String) -> Pending<Value> {
        let target = json!({ "realm": &**session });
        let result = self.evaluate_in(session, &target, &serialized(&expression), &[]);
        Pending::new(async move { parsed(&result.await?) })
    }

    fn call_in_page(&self, context_ref: ContextRef<'_>, element: String, function: &str) -> Pending<Value> {
        let found = self.evaluate_in(context_ref.session, &target(context_ref), &element, &[]);
        let frame = self.state().sandboxes.get(context_ref.name).cloned();
        let (connection, session, script) =
            (self.inner.connection.clone(), context_ref.session.clone(), script_expression(function));
        Pending::new(async move {
            let (element, frame) = shared(&found.await?).zip(frame).ok_or(DriverError::TargetClosed)?;
            let call = json!({
                "functionDeclaration": format!(
                    "async function(element){{const given={script};\
                     return await(typeof given==='function'?given(element):given)}}"
                ),
                "arguments": [element], "target": { "context": frame }, "awaitPromise": true, "userActivation": true,
            });
            Ok(json_of(&result_of(connection.call(Some(&session), "script.callFunction", &call).await?)?))
        })
    }

    fn load(&self, context_ref: ContextRef<'_>, source: String) -> Pending<()> {
        let loaded = self.evaluate_in(context_ref.session, &target(context_ref), &format!("{source}\n;0"), &[]);
        Pending::new(async move { loaded.await.map(drop) })
    }

    fn with_closed_roots(&self, context_ref: ContextRef<'_>, elements: String, function: &str) -> Pending<usize> {
        let options = json!({"maxDomDepth": 0, "maxObjectDepth": 1, "includeShadowTree": "all"});
        let target = target(context_ref);
        let found = self.evaluate_in(context_ref.session, &target, &elements, &[("serializationOptions", options)]);
        let (connection, session, function) =
            (self.inner.connection.clone(), context_ref.session.clone(), function.to_owned());
        Pending::new(async move {
            let hosts = found.await?;
            let mut count = 0;
            for host in hosts["value"].as_array().into_iter().flatten() {
                let root = &host["value"]["shadowRoot"];
                let closed = shared(host).zip(shared(root)).filter(|_| root["value"]["mode"] == "closed");
                let Some((host, root)) = closed else { continue };
                let call = json!({
                    "functionDeclaration": function, "this": host, "arguments": [root], "target": target,
                    "awaitPromise": false,
                });
                result_of(connection.call(Some(&session), "script.callFunction", &call).await?)?;
                count += 1;
            }
            Ok(count)
        })
    }

    fn interrupt(&self, _session: &SessionId) {
        // The protocol has no command for it; see the table of capabilities.
    }

    fn of_owner(&self, context_ref: ContextRef<'_>, frame: &str, function: &str) -> Pending<Value> {
        let parent = self.state().frames.get(frame).and_then(|frame| frame.parent.clone());
        let locator = json!({"type": "context", "value": { "context": frame }});
        let connection = Arc::new(self.inner.connection.clone());
        let (session, target, function) = (context_ref.session.clone(), target(context_ref), function.to_owned());
        Pending::new(async move {
            let parent = parent.ok_or(DriverError::TargetClosed)?;
            let locate = json!({ "context": parent, "locator": locator });
            let found = connection.call(Some(&session), "browsingContext.locateNodes", &locate).await?;
            let owner = shared(&found["nodes"][0]).ok_or(DriverError::TargetClosed)?;
            let call = json!({
                "functionDeclaration": function, "this": owner, "target": target, "awaitPromise": false,
            });
            let result = result_of(connection.call(Some(&session), "script.callFunction", &call).await?)?;
            Ok(json_of(&result))
        })
    }
}
