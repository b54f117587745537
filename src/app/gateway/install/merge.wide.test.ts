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

test("a table is appended, replaced or removed, and everything else stays", () => {
  const table = toToml(PLACE, ENTRY);
  assert.equal(mergeToml("", PLACE, ENTRY), table);
  const others =
    'text = """\n[mcpServers.toolwright]\n"""\n# [mcpServers.toolwright]\n[mcpServers.toolwright2]\nx = """a"""';
  assert.equal(mergeToml(others, PLACE, ENTRY), `${others}\n\n${table}`);
  assert.equal(mergeToml(`${others}\n\n${table}`, PLACE, ENTRY), `${others}\n\n${table}`, "twice is once");
  const old =
    '[ "mcpServers" . "toolwright" ] # mine\ncommand = "old"\n\n[mcpServers.toolwright.env]\nA = "b"\n\n# next\n[other]\ny = 1\n';
  const env = '\n[mcpServers.toolwright.env]\nA = "b"\n\n# next\n[other]\ny = 1\n';
  assert.equal(mergeToml(`a = 1\n${old}`, PLACE, ENTRY), `a = 1\n${table}${env}`);
  assert.equal(mergeToml(`a = 1\n${old}`, PLACE, undefined), "a = 1\n\n\n# next\n[other]\ny = 1\n");
  assert.equal(mergeToml(others, PLACE, undefined), others);
});

test("a TOML file that has the entry in another form, or is not closed, is refused", () => {
  for (const text of ["mcpServers = {}\n", "mcpServers.other.command = 'x'\n", 'text = """\nopen'])
    for (const entry of [ENTRY, undefined])
      assert.throws(() => mergeToml(text, PLACE, entry), { code: "INVALID_INPUT" }, text);
});

test("what an entry was added to is removed with its last entry, unless it has a comment", () => {
  for (const text of ['{\n  "theme": "one"\n}\n', "{}\n"]) {
    const merged = mergeJson(text, PLACE, ENTRY);
    assert.deepEqual(JSON.parse(mergeJson(merged, PLACE, undefined)), JSON.parse(text));
  }
  const other = `{ "${PLACE.key}": { "other": {} } }`;
  assert.deepEqual(
    JSON.parse(mergeJson(mergeJson(other, PLACE, ENTRY), PLACE, undefined)),
    JSON.parse(other),
  );
  const elsewhere = `{ "projects": { "/a": { "${PLACE.key}": {} } }, "${PLACE.key}": { "other": {} } }`;
  assert.deepEqual(
    JSON.parse(mergeJson(mergeJson(elsewhere, PLACE, ENTRY), PLACE, undefined)),
    JSON.parse(elsewhere),
  );
  const noted = `{ "${PLACE.key}": { // mine\n} }`;
  assert.match(mergeJson(mergeJson(noted, PLACE, ENTRY), PLACE, undefined), /mine/);
});
