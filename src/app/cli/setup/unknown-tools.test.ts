import assert from "node:assert/strict";
import { test } from "node:test";
import { unknownTools } from "./unknown-tools.ts";

const NAMES: ReadonlySet<string> = new Set(["read_file", "shell"]);

for (const [tool, count] of [
  ["read_file", 0],
  ["read_*", 0],
  ["github__search", 0],
  ["my_program", 1],
  [["shell", "my_program", "their_program"], 2],
] as const)
  test(`a rule for ${JSON.stringify(tool)} names ${count} tools that no known tool has`, () => {
    assert.equal(unknownTools({ tool, decision: "deny" }, NAMES).length, count);
  });

test("a misspelt name gets the near one as a guess", () => {
  const [note = ""] = unknownTools({ tool: "read_fil", decision: "deny" }, NAMES);
  assert.match(note, /"read_fil" is not a built-in tool;.*read_file/);
});
