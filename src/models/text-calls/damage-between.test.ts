import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, readWhole } from "../../../test/support/models/text-calls.ts";
import { DIALECT_NAMES } from "./dialects/dialects.ts";
import { renderCalls } from "./write/render.ts";

const INPUT = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = [{ name: "ls", input: INPUT }];
const TWO = ["src", "lib"].map((path) => ({ name: "ls", input: { path } }));

/** Returns two calls with one or two characters missing between the first value and the second name, or without separators. */
function damagedBetween(text: string): ReadonlySet<string> {
  const from = text.indexOf("src") + 3;
  const to = text.indexOf("ls", from);
  const between = text.slice(from, to);
  const damaged = new Set(["", " ", "\n"].map((separator) => between.replaceAll(/[,;]/g, separator)));
  for (const length of [1, 2])
    for (let at = 0; at + length <= between.length; at += 1)
      damaged.add(between.slice(0, at) + between.slice(at + length));
  return new Set([...damaged].map((some) => text.slice(0, from) + some + text.slice(to)));
}

for (const name of DIALECT_NAMES) {
  test(`damage between two calls never makes one call of both, in ${name}`, () => {
    for (const text of damagedBetween(renderCalls(name, TWO)))
      for (const dialect of [name, "auto"] as const)
        for (const { input } of callsOf(readWhole(text, { dialect, tools: TOOLS }))) {
          const { path = "" } = input as { readonly path?: string };
          assert.match(path.trim(), /^(?:src|lib)$/, text);
        }
  });
}

test("a comma that is missing between two calls of a list is a problem: a bracket may be missing before it", () => {
  const list = TWO.map((call) => JSON.stringify({ name: call.name, arguments: call.input }));
  for (const separator of ["", " ", "\n"]) {
    const text = `<tool_calls>[${list.join(separator)}]</tool_calls>`;
    const pieces = readWhole(text, { dialect: "auto", tools: TOOLS });
    assert.deepEqual(callsOf(pieces), []);
    assert.ok(pieces.some(({ kind }) => kind === "problem"));
  }
});
