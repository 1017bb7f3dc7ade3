//! Scripts in an isolated world or in the page's main world.

use serde_json::{Value, json};

use super::{Cdp, is_left};
use crate::{
    cdp::wire::*,
    driver::{ContextRef, DriverError, Pending, SessionId, Worlds, script_expression},
};

fn value_of(evaluated: Evaluated) -> Result<Value, DriverError> {
    let Some(exception) = evaluated.exception_details else {
        return Ok(evaluated.result.value.unwrap_or(Value::Null));
    };
    let said = exception.exception.and_then(|thrown| thrown.description).unwrap_or(exception.text);
    Err(if is_left(&said) { DriverError::TargetClosed } else { DriverError::Exception(said) })
}

impl Worlds for Cdp {
    fn create_isolated_world(&self, session: &SessionId, frame: &str) -> Pending<()> {
        let make = CreateWorld {
            frame_id: frame.to_owned(),
            world_name: Some(LATE_WORLD.into()),
            grant_univeral_access: false,
        };
        self.tell(Some(session), &make)
    }

    fn evaluate(&self, context_ref: ContextRef<'_>, expression: String) -> Pending<Value> {
        let evaluate = Evaluate {
            expression,
            unique_context_id: Some(context_ref.name.to_owned()),
            return_by_value: true,
            await_promise: true,
            user_gesture: false,
        };
        let evaluated = self.ask(Some(context_ref.session), &evaluate);
        Pending::new(async move { value_of(evaluated.await?) })
    }

    fn evaluate_in_worker(&self, session: &SessionId, expression: String) -> Pending<Value> {
        let evaluate = Evaluate {
            expression,
            unique_context_id: None,
            return_by_value: true,
            await_promise: false,
            user_gesture: false,
        };
        let evaluated = self.ask(Some(session), &evaluate);
        Pending::new(async move { value_of(evaluated.await?) })
    }

    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value> {
        let evaluate = EvaluateInPage {
            expression: script_expression(script),
            repl_mode: true,
            await_promise: true,
            user_gesture: true,
        };
        let evaluated = self.ask(Some(session), &evaluate);
        let (connection, session) = (self.connection.clone(), session.clone());
        Pending::new(async move {
            let evaluated = evaluated.await?;
            let Some(object_id) = evaluated.result.object_id.clone().filter(|_| evaluated.exception_details.is_none())
            else {
                return value_of(evaluated);
            };
            let of_it = if evaluated.result.r#type == "function" { "this()" } else { "this" };
            let call = CallFunctionOn {
                function_declaration: format!("async function(){{return await {of_it}}}"),
                object_id,
                return_by_value: true,
                await_promise: true,
                user_gesture: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }

    fn call_in_page(&self, context_ref: ContextRef<'_>, element: String, function: &str) -> Pending<Value> {
        let name = Some(context_ref.name.to_owned());
        let find = Evaluate { expression: element, unique_context_id: name, ..Evaluate::default() };
        let found = self.ask(Some(context_ref.session), &find);
        let (connection, session, script) =
            (self.connection.clone(), context_ref.session.clone(), script_expression(function));
        Pending::new(async move {
            let object_id = found.await?.result.object_id.ok_or(DriverError::TargetClosed)?;
            let node = connection.call(Some(&session), &DescribeNode { object_id }).await?.node;
            // Without a context, the node is resolved in the page's main world.
            let resolve = ResolveNode { backend_node_id: node.backend_node_id, execution_context_id: None };
            let object = connection.call(Some(&session), &resolve).await?.object;
            let call = CallFunctionOn {
                function_declaration: format!(
                    "async function(){{const given={script};return await(typeof given==='function'?given(this):given)}}"
                ),
                object_id: object.object_id.ok_or(DriverError::TargetClosed)?,
                return_by_value: true,
                await_promise: true,
                user_gesture: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }

    fn load(&self, context_ref: ContextRef<'_>, source: String) -> Pending<()> {
        let name = Some(context_ref.name.to_owned());
        self.tell(
            Some(context_ref.session),
            &Evaluate { expression: source, unique_context_id: name, ..Evaluate::default() },
        )
    }

    fn with_closed_roots(&self, context_ref: ContextRef<'_>, elements: String, function: &str) -> Pending<usize> {
        let described = self.ask(
            Some(context_ref.session),
            &Describe {
                expression: elements,
                unique_context_id: Some(context_ref.name.to_owned()),
                serialization_options: json!({
                    "serialization": "deep",
                    "maxDepth": 2,
                    "additionalParameters": {"maxNodeDepth": 0, "includeShadowTree": "all"},
                }),
            },
        );
        let (connection, session) = (self.connection.clone(), context_ref.session.clone());
        let (number, function) = (context_ref.number, function.to_owned());
        Pending::new(async move {
            let resolved = async |backend_node_id| {
                let resolve = ResolveNode { backend_node_id, execution_context_id: Some(number) };
                connection.call(Some(&session), &resolve).await?.object.object_id.ok_or(DriverError::TargetClosed)
            };
            let mut found = 0;
            for host in described.await?.result.deep_serialized_value.unwrap_or_default().value {
                let closed = host.value.shadow_root.filter(|root| root.value.mode.as_deref() == Some("closed"));
                let Some(root) = closed else { continue };
                let call = CallFunctionOn {
                    function_declaration: function.clone(),
                    object_id: resolved(host.value.backend_node_id).await?,
                    arguments: Some(json!([{"objectId": resolved(root.value.backend_node_id).await?}])),
                    ..CallFunctionOn::default()
                };
                value_of(connection.call(Some(&session), &call).await?)?;
                found += 1;
            }
            Ok(found)
        })
    }

    fn interrupt(&self, session: &SessionId) {
        self.send(session, &Terminate {});
    }

    fn of_owner(&self, context_ref: ContextRef<'_>, frame: &str, function: &str) -> Pending<Value> {
        let owner = self.ask(Some(context_ref.session), &GetFrameOwner { frame_id: frame.to_owned() });
        let (connection, session) = (self.connection.clone(), context_ref.session.clone());
        let (number, function) = (context_ref.number, function.to_owned());
        Pending::new(async move {
            let backend_node_id = owner.await?.backend_node_id;
            let resolve = ResolveNode { backend_node_id, execution_context_id: Some(number) };
            let object = connection.call(Some(&session), &resolve).await?.object;
            let call = CallFunctionOn {
                function_declaration: function,
                object_id: object.object_id.ok_or(DriverError::TargetClosed)?,
                return_by_value: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }
}
