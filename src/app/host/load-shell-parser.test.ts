import assert from "node:assert/strict";
import { test } from "node:test";
import { loadShellParser } from "./load-shell-parser.ts";

const parser = await loadShellParser();

test("a text becomes a tree of plain data, in which a command has no inside", () => {
  const { root, isBroken } = parser.parse("a && (b c)");
  assert.equal(isBroken, false);
  assert.deepEqual(JSON.parse(JSON.stringify(root)), {
    type: "program",
    start: 0,
    end: 10,
    children: [
      {
        type: "list",
        start: 0,
        end: 10,
        children: [
          { type: "command", start: 0, end: 1, children: [] },
          { type: "&&", start: 2, end: 4, children: [] },
          {
            type: "subshell",
            start: 5,
            end: 10,
            children: [
              { type: "(", start: 5, end: 6, children: [] },
              { type: "command", start: 6, end: 9, children: [] },
              { type: ")", start: 9, end: 10, children: [] },
            ],
          },
        ],
      },
    ],
  });
});

for (const text of ["if a; then b", "a )", "'", "for ; do"]) {
  test(`a tree of ${text} says that it is broken`, () => {
    assert.equal(parser.parse(text).isBroken, true);
  });
}

test("positions count as strings do, also behind characters of two units", () => {
  const text = "\u{1f600} ; ls";
  const last = parser.parse(text).root.children.at(-1);
  assert.equal(text.slice(last?.start, last?.end), "ls");
});

test("a tree deeper than the stack is copied", () => {
  const { root } = parser.parse(`${"a && ".repeat(15_000)}a`);
  let depth = 0;
  for (let node = root.children[0]; node !== undefined; node = node.children[0]) depth += 1;
  assert.equal(depth, 15_001);
});

test("two parsers and a broken text between two others do not disturb each other", async () => {
  const other = await loadShellParser();
  const first = parser.parse("a; b");
  parser.parse("((((");
  assert.deepEqual(other.parse("a; b"), first);
  assert.deepEqual(parser.parse("a; b"), first);
});

test("ten thousand parses leave nothing behind", () => {
  const text = "for f in a b; do { c; } | d || e; done; ".repeat(5);
  const parseMany = (): number => {
    for (let count = 0; count < 5000; count += 1) parser.parse(text);
    return process.memoryUsage().rss;
  };
  const before = parseMany();
  // One tree of this text takes some 20 kB: kept, they would be 100 MB.
  assert.ok(parseMany() - before < 50 * 1024 * 1024);
});
