// An agent whose process is killed in the middle of a call, and continued by another process from the store.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, defineTool, object, string } from "toolwright";
import { createAgent, type RunningAgent } from "toolwright/agent";
import type { Model } from "toolwright/models";
import { openStore } from "toolwright/store";
import { createScriptedModel } from "toolwright/testing";

const [, , folder] = process.argv;
if (folder === undefined) await killAndResume(mkdtempSync(join(tmpdir(), "toolwright-resumed-")));
else await startTask(folder);

/** Opens the agent of the session in the folder. Both processes do this; the store has everything that differs. */
async function open(
  folder: string,
  model: Model,
): Promise<{ agent: RunningAgent; close: () => Promise<void> }> {
  const { journal, artifacts, collections, ...store } = await openStore({ folder });
  const pack = defineTool({
    name: "pack",
    description: "Packs a thing.",
    input: object({ thing: string() }),
    risk: "low",
    async run({ thing }) {
      appendFileSync(join(folder, "packed.txt"), `${thing}\n`);
      // Tells the other process that it may kill this one.
      process.stdout.write(`packing the ${thing}\n`);
      if (thing === "lamp") await new Promise((resolve) => setTimeout(resolve, 60_000));
      return `packed the ${thing}`;
    },
  });
  const engine = createEngine({ tools: [pack], journal, artifacts, timeoutMs: 120_000 });
  const identity = { id: "packer", name: "Packer" };
  const session = "move";
  const options = { engine, model, journal, collections, session, identity, workspace: folder };
  const agent = await createAgent({ ...options, instructions: "Pack everything." });
  return {
    agent,
    close: async () => {
      await agent.close();
      await engine.close();
      await store.close();
    },
  };
}

/** The process that is killed while it packs the lamp. */
async function startTask(folder: string): Promise<void> {
  const call = (thing: string) => ({ calls: [{ name: "pack", input: { thing } }] });
  const { agent } = await open(folder, createScriptedModel([call("book"), call("lamp")]));
  await agent.send("Pack the book and the lamp.");
}

async function killAndResume(folder: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes("packing the lamp")) break;
  }
  child.kill("SIGKILL");
  if (child.signalCode === null) await once(child, "exit");

  // The call without an answer is answered as interrupted: the tool may have had its effect. The model decides.
  const { agent, close } = await open(
    folder,
    createScriptedModel([{ when: "ended before", text: "The book is packed; check the lamp." }]),
  );
  // A message without content continues the conversation.
  const outcome = await agent.send([]);
  console.log(outcome);
  assert.deepEqual(outcome, { kind: "answered", text: "The book is packed; check the lamp." });
  assert.equal(readFileSync(join(folder, "packed.txt"), "utf8"), "book\nlamp\n", "nothing ran twice");
  await close();
  rmSync(folder, { recursive: true });
}
