import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart } from "../../core/agent/message.ts";
import { tidyParts } from "./tidy-parts.ts";

const call = (id: string, more = {}): AssistantPart => ({
  type: "call",
  call: { id, name: "add", input: {}, ...more },
});

const NONE: ReadonlySet<string> = new Set();

function callsIn(parts: readonly AssistantPart[]) {
  return parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
}

test("empty parts are dropped, unless they have opaque data of the provider", () => {
  const parts: readonly AssistantPart[] = [
    { type: "reasoning", text: "", opaque: { signature: "x" } },
    { type: "reasoning", text: "" },
    { type: "text", text: " \n" },
    { type: "text", text: "Hello " },
  ];
  assert.deepEqual(tidyParts(parts, "stop", NONE), [parts[0], parts[3]]);
});

test("a call without an id, or with a used one, gets a new id", () => {
  const ids = callsIn(tidyParts([call("1"), call("2"), call("2"), call("")], "calls", new Set(["1"]))).map(
    ({ id }) => id,
  );
  assert.equal(ids[1], "2");
  assert.equal(new Set(["1", "", ...ids]).size, 6);
  for (const id of ids) assert.ok(id.length <= 40);
});

test("a call at the end of an answer cut at its length limit is unreadable, those before it are not", () => {
  const calls = callsIn(tidyParts([call("1"), call("2")], "length", NONE));
  assert.equal(calls[0]?.unreadable, undefined);
  assert.match(calls[1]?.unreadable ?? "", /cut at its length limit/);
});

test("a call that is followed by text is complete", () => {
  const parts: readonly AssistantPart[] = [call("1"), { type: "text", text: "and th" }];
  assert.equal(callsIn(tidyParts(parts, "length", NONE))[0]?.unreadable, undefined);
});

test("no call of an answer that the provider broke off is run", () => {
  for (const { unreadable } of callsIn(tidyParts([call("1"), call("2")], "refused", NONE)))
    assert.match(unreadable ?? "", /broke off/);
});

test("an unreadable call keeps its own reason", () => {
  const [only] = callsIn(tidyParts([call("1", { unreadable: "no JSON" })], "length", NONE));
  assert.equal(only?.unreadable, "no JSON");
});
