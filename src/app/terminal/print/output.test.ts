import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { createOutput } from "./output.ts";

function stream(isTTY: boolean): { readonly stream: NodeJS.WriteStream; readonly written: string[] } {
  const written: string[] = [];
  const write = (text: string, done?: () => void): void => {
    written.push(text);
    done?.();
  };
  return {
    stream: Object.assign(new EventEmitter(), { isTTY, write }) as unknown as NodeJS.WriteStream,
    written,
  };
}

const HOSTILE = "a\u{1b}]52;c;aGk=\u{7}b\u{1b}[2J\u{9b}1A\rc\u{202e}d\u{200b}e\u{feff}\u{e0041}";

test("a terminal gets no control, bidirectional or invisible character, on either stream", async () => {
  const [out, err] = [stream(true), stream(true)];
  const output = createOutput(out.stream, err.stream);
  await output.print(HOSTILE);
  output.log(HOSTILE);
  for (const text of [...out.written, ...err.written])
    assert.equal(text.trimEnd(), "ab\nc\\u{202e}d\\u{200b}e\\u{feff}\\u{e0041}");
});

test("a file or a pipe gets the exact text", async () => {
  const [out, err] = [stream(false), stream(false)];
  const output = createOutput(out.stream, err.stream);
  await output.print(HOSTILE);
  output.log(HOSTILE);
  assert.deepEqual([out.written, err.written], [[HOSTILE], [`${HOSTILE}\n`]]);
});
