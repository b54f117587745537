import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { JsonObject } from "../../../core/json.ts";
import { mergeJson, mergeToml, toToml } from "./merge.ts";

const PLACE = { key: "mcpServers", name: "toolwright" };
const ENTRY = { command: "node", args: ["a b", 'c"d'] };

test("a file keeps all its content", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (whole) => {
      const { mcpServers: _, ...rest } = whole as Record<string, unknown>;
      const merged = JSON.parse(mergeJson(JSON.stringify(rest), PLACE, ENTRY)) as JsonObject;
      const { mcpServers, ...after } = merged;
      assert.deepEqual(after, JSON.parse(JSON.stringify(rest)));
      assert.deepEqual(mcpServers, { toolwright: ENTRY });
    }),
  );
});

test("an empty or missing file gets the entry alone", () => {
  assert.deepEqual(JSON.parse(mergeJson(" \n", PLACE, ENTRY)), { mcpServers: { toolwright: ENTRY } });
});

test("numbers keep their digits and lines their indent", () => {
  const merged = mergeJson('{\n\t"id": 12345678901234567890.10\n}', PLACE, ENTRY);
  assert.match(merged, /\n\t"id": 12345678901234567890\.10,\n/);
});

test("a JSON file keeps its comments", () => {
  const merged = mergeJson('{\n  // mine\n  "other": 1, /* too */ "last": 2,\n}\n', PLACE, ENTRY);
  assert.match(merged, /\/\/ mine\n {2}"other": 1, \/\* too \*\/\s+"last": 2,\n/);
  assert.match(merged, /"toolwright": \{/);
});

test("a table has TOML strings", () => {
  assert.equal(
    toToml(PLACE, { ...ENTRY, http_headers: { Authorization: "Bearer \u{7f}é\n" } }),
    '[mcpServers.toolwright]\ncommand = "node"\nargs = ["a b", "c\\"d"]\nhttp_headers = { "Authorization" = "Bearer \\u007fé\\n" }\n',
  );
});

test("a table is appended only to a file without a table of that name", () => {
  assert.equal(mergeToml("", PLACE, {}), "[mcpServers.toolwright]\n\n");
  const refused = [
    "[mcpServers.toolwright]\n",
    '[ "mcpServers" . "toolwright" ]\n',
    "[mcpServers.toolwright.env]\n",
    "mcpServers = {}\n",
    "mcpServers.other.command = 'x'\n",
    'text = """\nopen',
  ];
  for (const text of refused)
    assert.throws(() => mergeToml(text, PLACE, ENTRY), { code: "INVALID_INPUT" }, text);
  const fine = '# [mcpServers.toolwright]\n[mcpServers.toolwright2]\nx = """a"""';
  assert.ok(mergeToml(fine, PLACE, ENTRY).startsWith(`${fine}\n\n[mcpServers.toolwright]\n`));
});
