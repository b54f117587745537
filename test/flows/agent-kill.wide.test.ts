import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { ToolError } from "../../src/core/errors.ts";
import { openStore } from "../../src/store/open-store.ts";
import { assertWhole, openAgent } from "../support/agents/agent.ts";
import { codeOf } from "../support/engines/engine.ts";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a process killed during a call leaves a session in which every call gets a result", async (t) => {
  const folder = temporaryFolder(t);
  // The second of the three calls of the first message never ends.
  await killedAt(startOwner(folder, "11"), "held", 1);
  const { agent, model } = await openAgent(t, [{ text: "I see." }], { folder });
  const answer = agent.messages()[2];
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["ok", "INTERRUPTED", "INTERRUPTED"]);
  assert.ok(
    answer.results[1]?.ok === false && answer.results[1].error.details?.["mayHaveHadEffects"] === true,
  );
  assert.equal(agent.state, "idle");
  assert.deepEqual(await agent.send("What happened?"), { kind: "answered", text: "I see." });
  assertWhole(model.requests[0]?.messages ?? []);
});

test("a session that is open in a living process cannot be opened; a killed process releases it at once", async (t) => {
  const folder = temporaryFolder(t);
  const child = startOwner(folder, "11");
  t.after(() => child.kill("SIGKILL"));
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (line === "held") break;
  const store = await openStore({ folder });
  const transcripts = openTranscripts(store.collections);
  const before = await transcripts.entries("s");
  await assert.rejects(openAgent(t, [], { folder }), (error) => {
    assert.ok(error instanceof ToolError);
    assert.match(error.message, new RegExp(`^the session s is open in another process \\(${child.pid}\\)$`));
    assert.match(error.hint ?? "", /sessions fork s/);
    return true;
  });
  assert.deepEqual(await transcripts.entries("s"), before);
  await store.close();
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
  const { agent } = await openAgent(t, [{ text: "Mine." }], { folder });
  assert.deepEqual(await agent.send("And now?"), { kind: "answered", text: "Mine." });
});

const KILLS = [
  ["turn", 1],
  ["ran", 1],
  ["ran", 7],
  ["turn", 3],
  ["ran", 4],
] as const;

test("whenever a process is killed, the next continues with a complete conversation", async (t) => {
  const folder = temporaryFolder(t);
  let said = 0;
  for (const [word, times] of isLong ? KILLS : KILLS.slice(0, 3)) {
    await killedAt(startOwner(folder), word, times);
    const { agent } = await openAgent(t, [{ text: "Going on." }], { folder });
    const messages = agent.messages();
    assertWhole(messages);
    // Nothing that was said is ever lost.
    assert.ok(messages.length > said);
    assert.deepEqual(await agent.send("Go on."), { kind: "answered", text: "Going on." });
    said = agent.messages().length;
    await agent.close();
  }
});

const OWNER = join(import.meta.dirname, "agent-owner.ts");

function startOwner(folder: string, holdsAt = ""): ChildProcess {
  return spawn(process.execPath, [OWNER, folder, holdsAt], { stdio: ["pipe", "pipe", "inherit"] });
}

/** Kills a process as soon as it has said a word so many times. */
async function killedAt(child: ChildProcess, word: string, times: number): Promise<void> {
  const ended = once(child, "close");
  assert.ok(child.stdout);
  let heard = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === word) heard += 1;
    if (heard === times) child.kill("SIGKILL");
  }
  await ended;
  assert.ok(heard >= times, `it said ${word} ${heard} times and ended`);
}
