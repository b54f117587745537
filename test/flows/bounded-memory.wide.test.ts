import assert from "node:assert/strict";
import { test } from "node:test";
import { runScript, sourceUrl } from "../support/faults/child-script.ts";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MEGABYTE = 1024 * 1024;
/** At least twice what the engine may grow by. A usual run has the tool and the artifacts alone, beside their sources. */
const PRINTED_MB = 512;
/** V8's nursery grows to 64 MB in any process that makes garbage for long; at a fixed size, what is measured is ours. */
const FIXED_NURSERY = ["--max-semi-space-size=4", "--min-semi-space-size=4"];

/** Runs one shell call through the whole line, with a store, and says how far the process grew meanwhile. */
function growthScript(folder: string, command: string): string {
  return `
    import { realpathSync } from "node:fs";
    const { createEngine } = await import(${JSON.stringify(sourceUrl("src/engine/engine.ts"))});
    const { openStore } = await import(${JSON.stringify(sourceUrl("src/store/open-store.ts"))});
    const { builtInTools } = await import(${JSON.stringify(sourceUrl("src/tools/built-in.ts"))});
    const root = realpathSync(${JSON.stringify(folder)});
    const store = await openStore({ folder: root + "/state" });
    const engine = createEngine({ ...store, mode: "yolo", workspace: [root], secrets: ["swordfish99"] });
    engine.add(builtInTools({ root, environment: { PATH: process.env.PATH } }));
    let heard = 0;
    engine.on(() => { heard += 1; }, ["call.answered"]);
    const run = (command) => engine.run({ id: "1", name: "shell", input: { command, timeout_seconds: 100 } });
    await run("echo warm");
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 5);
    const result = await run(${JSON.stringify(command)});
    clearInterval(timer);
    await engine.close();
    await store.close();
    console.log(JSON.stringify({ grown: peak - before, ok: result.ok, truncated: result.meta.truncated, heard, error: result.error }));
  `;
}

if (isLong)
  test(`a tool that prints ${PRINTED_MB} MB grows the engine by less than 64 MB, journal and artifact included`, (context) => {
    const command = `head -c ${PRINTED_MB * MEGABYTE} /dev/zero | tr '\\0' a`;
    const { stdout, stderr } = runScript(growthScript(temporaryFolder(context), command), FIXED_NURSERY);
    const { grown, ok, truncated, heard } = JSON.parse(stdout || `"${stderr}"`) as {
      grown: number;
      ok: boolean;
      truncated: { total: number; artifactId: string };
      heard: number;
    };
    assert.equal(ok, true, stdout);
    assert.equal(truncated.total, PRINTED_MB * MEGABYTE);
    assert.equal(heard, 2);
    assert.ok(grown < 64 * MEGABYTE, `it grew by ${Math.round(grown / MEGABYTE)} MB`);
  });

test("an async iterable of many items leaves nothing of those that were read", () => {
  const { stdout, stderr } = runScript(
    `
    const { createEngine } = await import(${JSON.stringify(sourceUrl("src/engine/engine.ts"))});
    const { defineTool } = await import(${JSON.stringify(sourceUrl("src/schema/define/define-tool.ts"))});
    const heap = () => (gc(), process.memoryUsage().heapUsed);
    async function* run() {
      const before = heap();
      for (let item = 0; item < 200_000; item += 1) yield "";
      console.log(heap() - before);
    }
    const tool = defineTool({ name: "t", description: "d", risk: "low", run });
    await createEngine({ tools: [tool], timeoutMs: 600_000 }).run({ id: "1", name: "t", input: {} });
  `,
    ["--expose-gc"],
  );
  // A promise that is raced for each item would hold 77 MB.
  assert.ok(Number(stdout.trim() || Number.NaN) < 8 * MEGABYTE, stdout + stderr);
});
