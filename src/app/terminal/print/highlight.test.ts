import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { createHighlighter, languageOf } from "./highlight.ts";
import { createPaint } from "./paint.ts";

const paint = createPaint({ isColoured: true });
const highlighter = createHighlighter();

test("code is not coloured before the languages are loaded", async () => {
  assert.equal(highlighter.lines("const a = 1;", "ts", { paint }), undefined);
  await highlighter.load();
  assert.deepEqual(highlighter.lines("const a = 1;", "ts", { paint }), [
    `${paint("magenta", "const")} a = ${paint("cyan", "1")};`,
  ]);
});

test("an unknown language and long code are not coloured", async () => {
  await highlighter.load();
  assert.equal(highlighter.lines("a", "klingon", { paint }), undefined);
  assert.equal(highlighter.lines("a", "constructor", { paint }), undefined);
  assert.equal(highlighter.lines("a ".repeat(20_000), "ts", { paint }), undefined);
});

test("the language of a file is known by its name", async () => {
  await highlighter.load();
  for (const [path, code] of [
    ["/w/a.mjs", "return 1"],
    ["b.py", "return 1"],
    ["Dockerfile", "FROM node"],
    ["x.test.TS", "return 1"],
  ] as const)
    assert.notEqual(highlighter.lines(code, languageOf(path), { paint })?.[0], code, path);
});

test("colours change no character of any language", async () => {
  await highlighter.load();
  const own = readFileSync(new URL(import.meta.url), "utf8");
  const odd = "a\\\n\"\"\"x\n'''\n`${`${b}`}\n<!-- <a b='\n/* */ // # -- \t{}[]\n\u{1f600}é\r\n=begin\n\n";
  for (const code of [own, odd, "", "\n", own.replaceAll("\n", "\r\n")])
    for (const language of "ts js py sh go rs java html css json yaml md diff rb php toml sql c".split(" ")) {
      const lines = highlighter.lines(code, language, { paint, isOnDark: true });
      assert.equal(stripVTControlCharacters(lines?.join("\n") ?? ""), code, language);
    }
});
