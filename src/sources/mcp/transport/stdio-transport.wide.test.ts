import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LineTooLongError, createMessageReader } from "./stdio-transport.ts";

function readAll(pieces: readonly string[], maxCharacters = 1000): readonly [unknown[], string[]] {
  const [messages, noise]: [unknown[], string[]] = [[], []];
  const read = createMessageReader({
    maxCharacters,
    onMessage: (message) => messages.push(message),
    onOther: (line) => noise.push(line),
  });
  for (const piece of pieces) read(piece);
  return [messages, noise];
}

test("messages are read from chunks of any size, and other lines are passed on separately", () => {
  const message = (id: number) => ({ jsonrpc: "2.0", id, result: { text: "a\n{" } });
  const text = `hello\n${JSON.stringify(message(1))}\r\n\n[1]\n${JSON.stringify([message(2), message(3)])}\n{"x":1}\n{"jsonrpc":"2.0"`;
  const whole = readAll([text]);
  assert.deepEqual(whole, [
    [message(1), message(2), message(3)],
    ["hello", "[1]", '{"x":1}'],
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      assert.deepEqual(readAll(pieces), whole);
    }),
  );
});

test("a line over the limit is an error at once, in one chunk or in many", () => {
  assert.throws(() => readAll(["x".repeat(1001)]), LineTooLongError);
  assert.throws(() => readAll(Array.from({ length: 1001 }, () => "x")), LineTooLongError);
  assert.doesNotThrow(() => readAll([`${"x".repeat(1000)}\n`.repeat(3)]));
});
