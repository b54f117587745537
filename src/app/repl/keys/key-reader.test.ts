import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { nameOf, type KeyEvent } from "./key.ts";
import { createKeyReader } from "./key-reader.ts";

/** Events in a few words: `text:abc`, `paste:abc`, `ctrl-c`. */
function told(events: readonly KeyEvent[]): readonly string[] {
  return events.map((event) => (event.kind === "key" ? nameOf(event) : `${event.kind}:${event.text}`));
}

function read(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const reader = createKeyReader();
  const events = chunks.flatMap((chunk) => reader.read(Buffer.from(chunk as string)));
  return told([...events, ...reader.flush()]);
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "hello\r": ["text:hello", "enter"],
  "a\nb": ["text:a", "shift-enter", "text:b"],
  "\u{3}\u{1}\u{7f}\u{8}\t": ["ctrl-c", "ctrl-a", "backspace", "backspace", "tab"],
  "\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D": ["up", "down", "right", "left"],
  "\u{1b}OA\u{1b}OH\u{1b}OF": ["up", "home", "end"],
  "\u{1b}[1;5C\u{1b}[1;3D\u{1b}\u{1b}[D": ["ctrl-right", "alt-left", "alt-left"],
  "\u{1b}[3~\u{1b}[3;5~\u{1b}[1~\u{1b}[4~": ["delete", "ctrl-delete", "home", "end"],
  "\u{1b}[Z": ["shift-tab"],
  "\u{1b}\r\u{1b}b\u{1b}\u{7f}": ["alt-enter", "alt-b", "alt-backspace"],
  "\u{1b}[13;2u\u{1b}[99;5u\u{1b}[27;2;13~": ["shift-enter", "ctrl-c", "shift-enter"],
  "\u{1b}[97;5:3u": [],
  "\u{1b}[?1u\u{1b}[?62;c\u{1b}[<0;1;1M": ["kitty"],
  "\u{1b}[200~a\rb\r\nc\u{3}\u{1b}[201~d": ["paste:a\nb\nc\u{3}", "text:d"],
  "\u{1b}": ["escape"],
  漢字: ["text:漢字"],
};

for (const [bytes, events] of Object.entries(KEYS)) {
  test(`${JSON.stringify(bytes)} is ${JSON.stringify(events)}`, () => assert.deepEqual(read(bytes), events));
}

test("keys that arrive in pieces are the same keys", () => {
  const whole = Object.keys(KEYS)
    .filter((bytes) => bytes !== "\u{1b}")
    .join("");
  const bytes = Buffer.from(whole);
  const joined = (events: readonly string[]): string =>
    events
      .join(" ")
      .replaceAll(/ text:(?=\S)/g, "\u{0}")
      .replaceAll("\u{0}", "");
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
      const ends = [...cuts, bytes.length].sort((a, b) => a - b);
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      assert.equal(joined(read(...chunks)), joined(read(bytes)));
    }),
  );
});

test("an escape is a key only if nothing follows it", () => {
  const reader = createKeyReader();
  assert.deepEqual(reader.read(Buffer.from("\u{1b}")), []);
  assert.ok(reader.isPending);
  assert.deepEqual(told(reader.read(Buffer.from("[A"))), ["up"]);
  assert.ok(!reader.isPending);
  reader.read(Buffer.from("\u{1b}"));
  assert.deepEqual(told(reader.flush()), ["escape"]);
});

test("an incomplete paste is not cut by waiting", () => {
  const reader = createKeyReader();
  reader.read(Buffer.from("\u{1b}[200~half"));
  assert.ok(!reader.isPending);
  assert.deepEqual(told(reader.read(Buffer.from(" whole\u{1b}[201~"))), ["paste:half whole"]);
});

test("any bytes are parsed without an error", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)));
});
