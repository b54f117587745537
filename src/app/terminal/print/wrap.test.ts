import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { createEngine } from "../../host/create-engine.ts";
import { toolPage } from "../commands/tool.ts";
import { wrap, wrapIndented, wrapLast } from "./wrap.ts";

test("a text is split between words, and a longer word has a line of its own", () => {
  assert.deepEqual(wrap("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrap("a longerthanthat b", 8), ["a", "longerthanthat", "b"]);
  assert.deepEqual(wrap("one two", Infinity), ["one two"]);
});

test("the last column of a table is wrapped below itself", () => {
  const rows = [
    ["a", "bcd", "one two three four five six"],
    ["ab", "c", "x"],
  ];
  assert.deepEqual(wrapLast(rows, 30), [
    ["a", "bcd", "one two three four"],
    ["", "", "five six"],
    ["ab", "c", "x"],
  ]);
});

test("at 80 columns no line of the page of shell is wider, and without a width nothing is wrapped", (t) => {
  const tools = builtInTools({ root: temporaryFolder(t), environment: {} });
  const engine = createEngine({ tools });
  const shell = tools.find(({ name }) => name === "shell");
  assert.ok(shell);
  for (const line of toolPage(engine, shell, 80).split("\n")) assert.ok(line.length <= 80, line);
  assert.ok(toolPage(engine, shell).includes(shell.description));
});

test("lines are wrapped at spaces, below their own indentation or a margin", () => {
  const text = "  one two three four five six\nend";
  assert.deepEqual(wrapIndented(text, 26), ["  one two three four", "    five six", "end"]);
  assert.deepEqual(wrapIndented(text, 30, 8)[1], "        five six");
  assert.deepEqual(wrapIndented(text, Number.POSITIVE_INFINITY), text.split("\n"));
});
