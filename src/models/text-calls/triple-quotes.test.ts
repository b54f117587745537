import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextReader } from "./create-text-reader.ts";

const properties = { a: { type: "string" }, b: { type: "string" } };
const TOOLS = [{ name: "w", description: "", input: { type: "object", properties, required: ["a"] } }];

function read(text: string, size: number): readonly unknown[] {
  const reader = createTextReader({ dialect: "pythonic", tools: TOOLS });
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...reader.push(text.slice(at, at + size)));
  return [...pieces, ...reader.end("stop")].map((piece) =>
    piece.kind === "call" ? piece.call.input : piece.kind,
  );
}

for (const [text, input] of [
  [`[w(a="""say "hi"""")]`, { a: 'say "hi"' }],
  [String.raw`[w(a="""C:\\dir\\""", b="""y""")]`, { a: String.raw`C:\dir` + "\\", b: "y" }],
  [String.raw`[w(a="""a \""" b""", b="""it's [1], (2)""")]`, { a: 'a """ b', b: "it's [1], (2)" }],
  [`[w(a="""""", b="""x""")]`, { a: "", b: "x" }],
  [`[w(a="""lost two")]`, "problem"],
  [`[w(a="added two""")]`, "problem"],
] as const)
  test(`${JSON.stringify(text)} is read as ${JSON.stringify(input)}, wherever it is cut`, () => {
    for (const size of [text.length, 1, 2, 3]) assert.deepEqual(read(text, size), [input], String(size));
  });
