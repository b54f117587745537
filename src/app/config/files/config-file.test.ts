import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Json } from "../../../core/json.ts";
import { editConfigFile, readConfigFile } from "./config-file.ts";

function edit(file: string, path: readonly string[], value: Json | undefined): Promise<void> {
  return editConfigFile(file, { changesFolder: `${file}-changes` }, () => ({ path, value }));
}

test("a new file is its owner's, and one that is there keeps its mode", async (t) => {
  const folder = temporaryFolder(t);
  const [made, old] = [join(folder, "made.json"), join(folder, "old.json")];
  writeFileSync(old, "{}");
  chmodSync(old, 0o640);
  for (const file of [made, old]) await edit(file, ["mode"], "ask");
  assert.deepEqual(
    [made, old].map((file) => statSync(file).mode & 0o777),
    [0o600, 0o640],
  );
  assert.deepEqual(
    [made, old].map((file) => readConfigFile(file)),
    [{ mode: "ask" }, { mode: "ask" }],
  );
});

test("of concurrent changes by several writers none is lost", async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "config.json");
  const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
  // Each call has locks of its own, as another process has.
  await Promise.all(
    names.map((name) =>
      editConfigFile(file, { changesFolder: join(folder, "changes") }, async ({ order = [] }) => {
        assert(Array.isArray(order));
        await new Promise(setImmediate);
        return { path: ["order"], value: [...order, name] };
      }),
    ),
  );
  const { order } = readConfigFile(file) ?? {};
  assert.deepEqual((order as readonly string[]).toSorted(), names.toSorted());
});

test("an invalid file is refused and stays as it was", async (t) => {
  const file = join(temporaryFolder(t), "config.json");
  writeFileSync(file, "{broken");
  for (const value of ["ask", undefined])
    await assert.rejects(edit(file, ["mode"], value), /config\.json:1:2: not valid JSON/);
  assert.equal(readFileSync(file, "utf8"), "{broken");
});

const COMMENTED = `{
  // the strictest that works
  "mode": "ask", /* for now */
  "mcpServers": {
    // ours
    "a": { "command": "x" }, // first
    "b": { "url": "https://b" }, // second
  },
}
`;

test("comments and trailing commas are read as if they were not there", (t) => {
  const file = join(temporaryFolder(t), "config.json");
  writeFileSync(file, `\u{feff}${COMMENTED}`);
  assert.deepEqual(readConfigFile(file), {
    mode: "ask",
    mcpServers: { a: { command: "x" }, b: { url: "https://b" } },
  });
});

const BEFORE = { mode: "ask", model: undefined, servers: ["a", "b"] };
const EDITS: readonly (readonly [string, readonly string[], string | undefined, object])[] = [
  ["a setting is changed", ["mode"], "plan", { mode: "plan" }],
  ["a setting is added", ["model"], "a/b", { model: "a/b" }],
  ["an entry is added", ["mcpServers", "c"], "x", { servers: ["a", "b", "c"] }],
  ["the first entry is removed", ["mcpServers", "a"], undefined, { servers: ["b"] }],
  ["the last entry is removed", ["mcpServers", "b"], undefined, { servers: ["a"] }],
  ["what is not there is removed", ["mcpServers", "z"], undefined, {}],
];
for (const [what, path, value, expected] of EDITS) {
  for (const [form, text] of [
    ["with comments", COMMENTED],
    ["as plain JSON", JSON.stringify({ mode: "ask", mcpServers: { a: {}, b: {} } }, undefined, 2)],
  ] as const) {
    test(`${what} ${form}: the file stays valid and every comment stays`, async (t) => {
      const file = join(temporaryFolder(t), "config.json");
      writeFileSync(file, text);
      await edit(file, path, value);
      const changed = readFileSync(file, "utf8");
      const { mode, model, mcpServers = {} } = readConfigFile(file) ?? {};
      assert.deepEqual(
        { mode, model, servers: Object.keys(mcpServers as object) },
        { ...BEFORE, ...expected },
      );
      if (form === "as plain JSON") assert.ok(JSON.parse(changed));
      else
        for (const comment of [
          "// the strictest that works",
          "/* for now */",
          "// ours",
          "// first",
          "// second",
        ])
          assert.ok(changed.includes(comment), changed);
    });
  }
}

const BROKEN: readonly (readonly [string, RegExp])[] = [
  ["", /config\.json:1:1: not valid JSON: value expected/],
  ['{\n  "mode": "auto"\n  oops\n}', /config\.json:3:3: not valid JSON/],
  ['{"mode" "auto"}', /config\.json:1:9: not valid JSON: colon expected/],
  ["{'mode': 1}", /config\.json:1:2: not valid JSON/],
  ["[]", /must be one JSON object/],
  [`{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /config\.json: the JSON is nested too deeply/],
  [`{ // deep\n"a": ${"[".repeat(100_000)}`, /config\.json: the JSON is nested too deeply/],
];
for (const [text, says] of BROKEN) {
  test(`${JSON.stringify(text.slice(0, 30))} is refused with its place`, (t) => {
    const file = join(temporaryFolder(t), "config.json");
    writeFileSync(file, text);
    assert.throws(() => readConfigFile(file), says);
  });
}

test("a file with a byte order mark is changed, and keeps it", async (t) => {
  const file = join(temporaryFolder(t), "config.json");
  writeFileSync(file, '\u{feff}{ "mode": "ask" }\r\n');
  await edit(file, ["keepDays"], 30);
  assert.deepEqual(readConfigFile(file), { mode: "ask", keepDays: 30 });
  await edit(file, ["mode"], undefined);
  assert.deepEqual(readConfigFile(file), { keepDays: 30 });
  assert.match(readFileSync(file, "utf8"), /^\u{feff}\{/u);
});

test("a key named __proto__ is a key", (t) => {
  const file = join(temporaryFolder(t), "config.json");
  writeFileSync(file, '{ // c\n"__proto__": {"mode": "yolo"} }');
  const values = readConfigFile(file) ?? {};
  assert.deepEqual(Object.keys(values), ["__proto__"]);
  assert.equal(values["mode"], undefined);
});
