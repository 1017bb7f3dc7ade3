import { expect, test } from "@playwright/test";
import type { Execute, WorkflowInput } from "../../src/api/generated";
import { EMPTY, fields, ofRequest, requestOf, saveBody } from "../../src/screens/start/draft";
import { inputsBody, textOf } from "../../src/ui/inputs";

const input = (name: string, kind: WorkflowInput["kind"], value?: WorkflowInput["default"]): WorkflowInput => ({
  name,
  kind,
  description: null,
  default: value ?? null,
  required: value === undefined,
  secret: false,
});

test("values are sent in the types of their inputs, and only if they differ from the defaults", () => {
  const inputs = [
    input("copies", "number", 2),
    input("express", "flag", false),
    input("names", "list", ["Ada"]),
    input("site", "json", { a: 1 }),
    input("who", "text"),
    input("same", "text", "x"),
  ];
  const values = { copies: "3.5", express: "true", names: "Ada\n Bob \n", site: '{"a":2}', who: "Grace", same: "x" };
  expect(inputsBody(inputs, values)).toEqual({
    copies: 3.5,
    express: true,
    names: ["Ada", "Bob"],
    site: { a: 2 },
    who: "Grace",
  });
  expect(inputsBody(inputs, {})).toEqual({});
  // An empty field of an input without a default is no value; of one with a default, it is the empty text.
  expect(inputsBody(inputs, { who: "", same: "" })).toEqual({ same: "" });
  // What is no number is refused by the server, which names it.
  expect(inputsBody(inputs, { copies: "many" })).toEqual({ copies: "many" });
  expect([textOf(["a", "b"]), textOf({ a: 1 }), textOf(null), textOf(false)]).toEqual(["a\nb", '{"a":1}', "", "false"]);
});

test("a run becomes a draft, and the draft the same request again", () => {
  const request = {
    text: 'Type "${who}" into "Name"',
    url: "http://shop.test/",
    basedOn: "demo",
    workflowId: "w1",
    workflowVersion: 2,
    name: "Order",
    inputs: { who: "Ada", copies: 3 },
    options: { timeout: "90s", maxActions: 5, allowedDomains: ["a.test", "b.test"] } as unknown as Execute["options"],
  };
  const draft = ofRequest({ request, text: request.text });
  const inputs = fields(draft, [input("copies", "number", 1)]);
  expect(inputs.map((one) => one.name)).toEqual(["copies", "who"]);
  expect(requestOf(draft, inputs)).toEqual(request);
  expect(saveBody(draft, " Order ", "")).toEqual({
    name: "Order",
    description: "",
    text: request.text,
    task: false,
    url: request.url,
    basedOn: "demo",
  });
  expect(requestOf(EMPTY, [])).toBeUndefined();
});
