import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOfTool } from "../../../core/tool.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { FAMILIES, loadOwnTools } from "./own-tools.ts";

/** These run other tools, so that a process that calls one of them needs all. */
const CALLS_OTHERS: ReadonlySet<string> = new Set(["batch"]);

test("a family that is loaded for a call names each of its tools, with all aliases, but those that call others", async (t) => {
  const options = { root: temporaryFolder(t), environment: {} };
  for (const { names, load } of FAMILIES) {
    const tools = await load(options);
    const expected = tools.flatMap(namesOfTool).filter((name) => !CALLS_OTHERS.has(name));
    assert.deepEqual([...names].sort(), expected.sort());
  }
});

test("for a call of a tool, its family is loaded; for one that calls others or has another name, all are", async (t) => {
  const options = { root: temporaryFolder(t), environment: {} };
  const namesFor = async (only?: string): Promise<readonly string[]> =>
    (await loadOwnTools(options, only)).tools.map(({ name }) => name);
  const all = await namesFor();
  assert.ok(all.includes("think") && all.includes("shell") && all.includes("browser_action"));
  for (const only of ["batch", "run_code", "activate_tools", "thinkk"])
    assert.deepEqual(await namesFor(only), all);
  const forThink = await namesFor("thinking");
  assert.ok(forThink.includes("think") && !forThink.includes("shell"));
  // The tools of a family are the same in both ways.
  assert.deepEqual(
    forThink,
    all.filter((name) => forThink.includes(name)),
  );
});
