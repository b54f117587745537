import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as hold, property, string } from "fast-check";
import { nearNames } from "./near-names.ts";

const TOOLS = [
  "read_file",
  "write_file",
  "edit_file",
  "glob",
  "grep",
  "shell",
  "web_search",
  "list_directory",
];

const MEANT: readonly (readonly [word: string, first: string])[] = [
  ["readfile", "read_file"],
  ["readFile", "read_file"],
  ["Read-File", "read_file"],
  ["raed_file", "read_file"],
  ["wirte_file", "write_file"],
  ["gerp", "grep"],
  ["globb", "glob"],
  ["search", "web_search"],
  ["file_read", "read_file"],
  ["directory_list", "list_directory"],
];

for (const [word, first] of MEANT) {
  test(`${word} was meant to be ${first}`, () => {
    assert.equal(nearNames(word, TOOLS)[0], first);
  });
}

test("case and Unicode form do not matter", () => {
  assert.deepEqual(nearNames("RE\u0301SUME\u0301.md", ["r\u00e9sum\u00e9.md"]), ["r\u00e9sum\u00e9.md"]);
});

test("a word like none of the names finds nothing", () => {
  assert.deepEqual(nearNames("zzzzzzzz", TOOLS), []);
  assert.deepEqual(nearNames("", TOOLS), []);
  assert.deepEqual(nearNames("__", TOOLS), []);
});

test("at most the requested number of names is returned, the best first", () => {
  assert.deepEqual(nearNames("fil", ["file", "files", "filet", "fill"], 2), ["file", "fill"]);
});

test("every name is nearest to itself", () => {
  hold(
    property(array(string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (names) => {
      const [first = ""] = names;
      const found = nearNames(first, names, names.length);
      assert.ok(!/[a-z0-9]/i.test(first) || found.includes(first));
    }),
  );
});

test("a very long word neither fails nor takes long", () => {
  assert.deepEqual(nearNames("x".repeat(1_000_000), TOOLS), []);
});

test("of a very large registry the first names are compared, and no others", () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `x${index}`);
  names[19_999] = "read_file";
  assert.deepEqual(nearNames("raed_file", names), ["read_file"]);
  [names[19_999], names[20_000]] = ["x", "read_file"];
  assert.deepEqual(nearNames("raed_file", names), []);
});
