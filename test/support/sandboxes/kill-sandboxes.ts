import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createRandom } from "../../../scripts/soak/random.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { createPlace, runProcess, startCli } from "../../flows/support/cli.ts";
import { processesWith } from "../examples/sandbox-example.ts";
import { untilTrue } from "../running.ts";

/** What a sandbox needs in a workspace while it runs. */
const PLACEHOLDERS = new Set([".git", ".mcp.json", ".toolwright"]);

interface Batch {
  readonly calls: number;
  readonly parallel: number;
}

/**
 * Runs batches of calls in sandboxes and kills, at random moments, the sandbox or the program itself. Every call must get exactly
 * one answer, in the output or, if the program was killed, in the journal, and nothing may be left.
 */
export async function killSandboxes(t: TestContext, seed: number, batches: readonly Batch[]): Promise<void> {
  const random = createRandom(seed);
  for (const [index, { calls, parallel }] of batches.entries()) {
    const place = createPlace(t);
    const isEngine = index % 2 === 1;
    const ids = Array.from({ length: calls }, (_, number) => `call-${number}`);
    const args = ["batch", "--parallel", String(parallel), "--mode", "yolo", "--sandbox", "bubblewrap"];
    const { child, finished } = startCli(place, args);
    const answers = new Map<string, number>();
    let rest = "";
    child.stdout?.on("data", (piece: Buffer) => {
      const lines = `${rest}${piece.toString()}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { callId } = JSON.parse(line) as { readonly callId: string };
        answers.set(callId, (answers.get(callId) ?? 0) + 1);
      }
    });
    child.stdin?.on("error", () => undefined);
    const lines = ids.map((id) => JSON.stringify({ id, name: "shell", input: { command: `echo ${id}` } }));
    child.stdin?.end(`${lines.join("\n")}\n`);
    const servers = (): readonly number[] => processesWith("toolwright-tool-server", place.folder);
    // Each kill follows some answers, so that it hits work, however fast the machine is.
    for (let done = 0; done < calls && child.exitCode === null;) {
      done += random.between(1, Math.max(2, Math.floor(calls / 4)));
      await untilTrue(
        "calls are answered",
        () => answers.size >= Math.min(done, calls) || child.exitCode !== null,
      );
      const pids = isEngine && done * 2 > calls ? [child.pid ?? 0] : servers();
      for (const pid of pids.slice(0, random.between(1, 3))) kill(pid);
      if (child.signalCode !== null || pids.includes(child.pid ?? 0)) break;
    }
    await finished;
    assert.ok(
      [...answers.values()].every((count) => count === 1),
      `seed ${seed}: a second answer`,
    );
    if (!isEngine) assert.deepEqual([...answers.keys()].toSorted(), ids.toSorted(), `seed ${seed}`);
    // The next program ends what a killed one left.
    const next = await runProcess(place, ["call", "think", "thought=x"]);
    assert.equal(next.code, 0, next.stderr);
    await untilTrue("no server is left", () => servers().length === 0);
    assert.deepEqual(readdirSync(join(place.home, "state/processes")), []);
    const placeholders = readdirSync(place.folder).filter((name) => PLACEHOLDERS.has(name));
    assert.deepEqual(placeholders, [], `seed ${seed}`);
    await checkJournal(place.home, answers);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function checkJournal(home: string, answers: ReadonlyMap<string, number>): Promise<void> {
  const store = await openStore({ folder: join(home, "state") });
  const records = Map.groupBy(await store.journal.list({ limit: 10_000 }), ({ callId }) => callId);
  await store.close();
  for (const [id, found] of records) {
    assert.equal(found.length, 1, `${id} is in the journal ${found.length} times`);
    assert.notEqual(found[0]?.state, "open", `${id} has no answer`);
  }
  for (const id of answers.keys()) assert.ok(records.has(id), `${id} was answered and is not in the journal`);
}
