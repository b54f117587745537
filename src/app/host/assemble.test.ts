import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assemble } from "./assemble.ts";
import { loadConfig } from "../config/config.ts";
import type { Config } from "../config/groups.ts";
import { createEngine } from "./create-engine.ts";
import { openConfiguredStore } from "./store/open-configured-store.ts";

function configIn(t: TestContext, flags: Readonly<Record<string, string>> = {}): Config {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-assemble-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return loadConfig(flags, { cwd: folder, userHome: folder, variables: {} });
}

test("the assembled engine runs built-in tools in the workspace and keeps their calls", async (t) => {
  const config = configIn(t);
  writeFileSync(join(config.paths.workspace[0], "a"), "text\n");
  const store = await openConfiguredStore(config);
  const assembly = await assemble(config, { store });
  const { engine, session } = assembly;
  const result = await engine.run({ id: "1", name: "read_file", input: { path: "a" } }, { session });
  assert.equal(result.ok, true);
  const [kept] = await store.journal.list();
  assert.deepEqual([kept?.callId, kept?.session], ["1", session]);
  await assembly.close();
});

test("a store in memory keeps calls for as long as it is open", async (t) => {
  const config = configIn(t, { store: ":memory:" });
  const store = await openConfiguredStore(config);
  const assembly = await assemble(config, { store });
  const { engine } = assembly;
  await engine.run({ id: "1", name: "nope", input: {} });
  assert.equal((await store.journal.list()).length, 1);
  await assembly.close();
});

test("groups are switched as the config says; one that does not exist is told", async (t) => {
  const plain = configIn(t);
  const config = { ...plain, tools: { ...plain.tools, groups: { running: false, filez: false } } };
  const { engine, warnings } = await assemble(config);
  assert.equal(engine.groups.isActive("running"), false);
  assert.equal(engine.groups.isActive("files"), true);
  assert.equal(engine.groups.isActive("agents"), false, "off unless it is switched on");
  assert.deepEqual(warnings, ['unknown group "filez"; did you mean files?']);
});

test("the engine of the library keeps what it cuts, in memory, with no store given", async () => {
  const engine = createEngine();
  engine.add({
    name: "long",
    description: "Says much.",
    input: { type: "object" },
    risk: "low",
    place: "host",
    source: "test",
    effects: "none",
    run: () => "line\n".repeat(10_000),
  });
  const { meta } = await engine.run({ id: "1", name: "long", input: {} });
  assert.equal(typeof meta.truncated?.artifactId, "string");
  await engine.close();
});
