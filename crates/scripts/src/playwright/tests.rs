use std::collections::BTreeMap;

use super::*;
use crate::{
    script::ScriptStep,
    statement::{Call, Piece},
};

fn on(role: &str, name: &str) -> Expression {
    let call = Call::new("getByRole", vec![Value::text(role)]).with("name", Value::text(name));
    Expression::page().call(call.with("exact", Value::Bool(true)))
}

/// A script with every kind of statement.
fn script() -> PlaywrightScript {
    let click = || Statement::Call(on("button", "It's \"on\"").then("click", vec![]));
    let typed = Value::Text(vec![
        Piece::Literal("{a} $".into()),
        Piece::Variable("order_number".into()),
        Piece::Secret("demo.pin".into()),
    ]);
    let statements = vec![
        Statement::AnswerDialog { accept: true, text: Some(Value::text("yes")) },
        click(),
        Statement::Call(on("textbox", "Name").then("fill", vec![typed])),
        Statement::Save { name: "order_number".into(), value: on("status", "Order").then("innerText", vec![]) },
        Statement::Popup(vec![click()]),
        Statement::Download { action: vec![click()], name: "a.csv".into() },
        Statement::FileChooser { action: vec![click()], files: vec![Value::text("a.txt")] },
        Statement::SwitchTab(2),
        Statement::CloseTab,
        Statement::Expect {
            subject: Expression::page(),
            matcher: "toHaveURL",
            arguments: vec![Value::Pattern { source: "\\/orders\\/\\d+".into(), ignore_case: false }],
            options: vec![],
        },
        Statement::Expect {
            subject: on("heading", "Done").then("first", vec![]),
            matcher: "toBeVisible",
            arguments: vec![],
            options: vec![("timeout", Value::Number(5_000.0))],
        },
        Statement::Expect {
            subject: Expression { base: Base::Variable("order_number".into()), calls: vec![] },
            matcher: "toBe",
            arguments: vec![Value::text("HS-1")],
            options: vec![],
        },
        Statement::Fail("cannot be expressed: ask".into()),
    ];
    PlaywrightScript {
        name: "An 'order'".into(),
        base_url: Some("http://shop.test".into()),
        inputs: BTreeMap::from([("customer".to_owned(), "Ada".to_owned())]),
        secrets: vec!["demo.pin".into()],
        saved: vec!["order_number".into()],
        steps: vec![ScriptStep { title: "1. Everything".into(), statements }],
    }
}

#[test]
fn a_script_in_typescript() {
    insta::assert_snapshot!(write(&script(), Language::TypeScript));
}

#[test]
fn a_script_in_python() {
    insta::assert_snapshot!(write(&script(), Language::Python));
}
