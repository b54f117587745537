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
    assert.equal(text.trim(), "ab\nc\\u{202e}d\\u{200b}e\\u{feff}\\u{e0041}");
});

test("a file or a pipe gets the exact text", async () => {
  const [out, err] = [stream(false), stream(false)];
  const output = createOutput(out.stream, err.stream);
  await output.print(HOSTILE);
  output.log(HOSTILE);
  assert.deepEqual([out.written, err.written], [[HOSTILE], [`${HOSTILE}\n`]]);
});

test("words on a terminal are not broken within them, and a pipe gets one line", () => {
  const sentence = `toolwright: ${"word ".repeat(30).trim()}`;
  const written = (isTTY: boolean): string => {
    const { stream: stderr, written: texts } = stream(isTTY);
    createOutput(stream(false).stream, stderr).logWords(sentence, undefined, 2);
    return texts.join("");
  };
  assert.equal(written(false), `${sentence}\n`);
  const lines = written(true).trimEnd().split("\n");
  assert.ok(lines.length > 1);
  for (const line of lines) assert.ok(line.length <= 80 && /(?:word|toolwright:)$/.test(line), line);
  assert.equal(lines.map((line) => line.trim()).join(" "), sentence);
});

const RED = "\u{1b}[31mfailed\u{1b}[39m";
for (const { what, isTTY, variables, text } of [
  { what: "a terminal", isTTY: true, variables: {}, text: RED },
  { what: "a terminal with NO_COLOR", isTTY: true, variables: { NO_COLOR: "1" }, text: "failed" },
  { what: "a dumb terminal", isTTY: true, variables: { TERM: "dumb" }, text: "failed" },
  { what: "a pipe", isTTY: false, variables: {}, text: "failed" },
])
  test(`${what} gets ${text === RED ? "colours" : "no colours"}`, async () => {
    const [out, err] = [stream(isTTY), stream(isTTY)];
    const output = createOutput(out.stream, err.stream, variables);
    await output.print("failed", "red");
    assert.deepEqual(out.written, [text]);
  });

test("the status line is removed before the next text and never drawn behind a part of a line", async () => {
  const [out, err] = [stream(true), stream(true)];
  const output = createOutput(out.stream, err.stream);
  output.status("busy\u{1b}[2J");
  output.log("one");
  output.status("busy");
  await output.print("part");
  output.status("hidden");
  output.log("two");
  output.status("");
  const clear = "\r\u{1b}[2K";
  assert.deepEqual(err.written, [`${clear}busy`, clear, "one\n", `${clear}busy`, clear, "\ntwo\n"]);
});

test("a pipe gets no status line", () => {
  const [out, err] = [stream(true), stream(false)];
  createOutput(out.stream, err.stream).status("busy");
  assert.deepEqual([...out.written, ...err.written], []);
});
