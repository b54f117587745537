import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Journal } from "../../src/core/store/journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { sourceUrl } from "../support/faults/child-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createPlace, runCli } from "./support/cli.ts";

/**
 * Answers a call, prints that, and then blocks until it is ended: while it blocks, no timer fires, so the answer cannot reach the
 * database.
 */
const BLOCKED_OWNER = `
  import { readSync, writeSync } from "node:fs";
  import { openStore } from ${JSON.stringify(sourceUrl("src/store/open-store.ts"))};
  const { journal } = await openStore({ folder: process.argv[1] });
  const receive = (callId) => journal.receive({ callId, name: "ls", input: {}, session: undefined, receivedAt: Date.now() });
  const [answered, running] = [receive("answered"), receive("running")];
  await Promise.all([answered.start("none"), running.start("unsafe")]);
  await answered.settle({ callId: "answered", name: "ls", ok: true, content: [], meta: { durationMs: 1 } });
  writeSync(1, "answered");
  readSync(0, Buffer.alloc(1));
`;

async function startBlockedOwner(t: TestContext, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", BLOCKED_OWNER, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  assert.equal(String(text), "answered");
  return child;
}

test("toolwright trace shows calls that a running process has answered before they are in the database", async (t) => {
  const place = createPlace(t);
  await startBlockedOwner(t, join(place.home, "state"));
  const { stdout } = await runCli(place, ["trace", "--all", "--json"]);
  const states = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { callId: string; state: string });
  assert.deepEqual(
    states.map(({ callId, state }) => `${callId} ${state}`),
    ["running open", "answered answered"],
  );
  assert.equal((await runCli(place, ["trace", "answered"])).code, 0);
});

test("a store lists the answered calls of a running process once, also after it is killed", async (t) => {
  const folder = temporaryFolder(t);
  const reader = await openStore({ folder });
  t.after(() => reader.close());
  const child = await startBlockedOwner(t, folder);
  assert.deepEqual(await statesOf(reader.journal), ["running open", "answered answered"]);
  await kill(child);
  assert.deepEqual(await statesOf(reader.journal), ["running open", "answered answered"]);
  const next = await openStore({ folder });
  t.after(() => next.close());
  for (const { journal } of [reader, next])
    assert.deepEqual(await statesOf(journal), ["running interrupted", "answered answered"]);
});

test("however fast a process answers, each call is listed once, as answered from the moment it is reported", async (t) => {
  const folder = temporaryFolder(t);
  const reader = await openStore({ folder: join(folder, "state") });
  t.after(() => reader.close());
  const runner = join(import.meta.dirname, "journal-runner.ts");
  const child = spawn(process.execPath, [runner, join(folder, "state"), join(folder, "world")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [said, checks] = ["", 0];
  try {
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      said += String(chunk);
      const callId = said.split("\n").at(-2) ?? "";
      if (callId === "") continue;
      const states = (await reader.journal.list({ callId })).map(({ state }) => state);
      assert.deepEqual(states, ["answered"], callId);
      checks += 1;
      // Its last output is checked too.
      if (checks === 100) child.kill("SIGKILL");
    }
  } finally {
    await kill(child);
  }
  assert.ok(checks >= 100);
});

/** Resolves once the process has ended: until then it may write to the folder that the test removes. */
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  if (child.kill("SIGKILL")) await ended;
}

async function statesOf(journal: Journal): Promise<readonly string[]> {
  return (await journal.list()).map(({ callId, state }) => `${callId} ${state}`);
}
