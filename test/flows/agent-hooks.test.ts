// From a file that has changed, over a hook that is written in a config, to what the agent does about it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { AgentEvent } from "../../src/agent/runtime/agent-events.ts";
import { createAgent } from "../../src/agent/create-agent.ts";
import { createConfiguredHooks } from "../../src/app/host/hooks/engine-hooks.ts";
import { hookMessages, openPromptQueue, type PromptQueue } from "../../src/agent/hooks/prompt-queue.ts";
import { parseSetting } from "../../src/app/config/layers.ts";
import type { Mode } from "../../src/core/policy.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { inShort, eventsOf } from "../support/agents/agent.ts";
import { codeOf } from "../support/engines/engine.ts";
import { until } from "../support/servers/mcp.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fakeModel } from "../support/models/fake-model.ts";

const environment = { PATH: process.env["PATH"] ?? "" };

const CHECK = {
  name: "check",
  on: "file_changed",
  match: { path: "*.txt" },
  action: { type: "askAgent", prompt: "Count the lines of {{file.path}}." },
};

interface PlaceOptions {
  readonly hooks?: readonly object[];
  readonly mode?: Mode;
}

/** A queue that knows how many prompts were ever put into it. */
function counted(queue: PromptQueue): PromptQueue & { readonly added: () => number } {
  let added = 0;
  return {
    ...queue,
    async add(prompt) {
      const isAdded = await queue.add(prompt);
      added += isAdded ? 1 : 0;
      return isAdded;
    },
    added: () => added,
  };
}

async function openPlace(
  t: TestContext,
  answer: Parameters<typeof fakeModel>[0],
  { hooks = [CHECK], mode = "yolo" }: PlaceOptions = {},
) {
  const folder = temporaryFolder(t);
  const store = await openStore({ folder: temporaryFolder(t) });
  const { collections, journal } = store;
  const queue = counted(openPromptQueue(collections));
  const options = { environment, workspace: [folder], home: folder, prompts: queue } as const;
  const engine = createEngine({
    mode,
    workspace: [folder],
    journal,
    tools: builtInTools({ root: folder, environment }),
    hooks: createConfiguredHooks(parseSetting("hooks", hooks), options),
  });
  const model = fakeModel(answer);
  const agent = await createAgent({
    engine,
    model,
    collections,
    journal,
    session: "s",
    identity: { id: "a", name: "worker" },
    workspace: folder,
    instructions: "Work.",
    incoming: hookMessages(queue, "s"),
  });
  const events: AgentEvent[] = [];
  agent.on((event) => events.push(event));
  t.after(async () => {
    await agent.close();
    await engine.close();
    await store.close();
  });
  return { folder, engine, model, agent, events, queue };
}

const write = (path: string, content: string) => ({
  calls: [{ name: "write_file", input: { path, content } }],
});
const shell = (command: string) => ({ calls: [{ name: "shell", input: { command } }] });

test("a changed file becomes a turn of the agent, which runs a shell command about it", async (t) => {
  const place = await openPlace(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "user") return { text: "Two lines." };
    return last.from?.kind === "hook" ? shell("wc -l < notes.txt > count.out") : { text: "Ready." };
  });
  const { folder, engine, agent, queue } = place;
  assert.deepEqual(await agent.send("Hello."), { kind: "answered", text: "Ready." });
  const path = join(folder, "notes.txt");
  writeFileSync(path, "one\ntwo\n");
  engine.fileChanged({ path, change: "created" });
  await until(() => queue.added() === 1, "the hook has asked for the agent");
  // The holder of the agent wakes it: no message was sent.
  assert.deepEqual(await agent.send([]), { kind: "answered", text: "Two lines." });
  assert.equal(readFileSync(join(folder, "count.out"), "utf8").trim(), "2");
  const asked = agent.messages().find((message) => message.role === "user" && message.from?.kind === "hook");
  assert.ok(asked?.role === "user");
  assert.equal(asked.from?.name, "check");
  assert.equal(inShort([asked])[0], `user: [hook check about ${path}]\nCount the lines of ${path}.`);
});

test("a file that the agent changes becomes a turn of the same task", async (t) => {
  const { agent, queue, folder } = await openPlace(t, async ({ messages }, index) => {
    if (index === 0) return write("notes.txt", "one\n");
    // It may be there before the next request, or only when the model is done.
    if (messages.filter(({ role }) => role === "user").length === 1) {
      await until(() => queue.added() === 1, "the hook has asked for the agent");
      return { text: "Written." };
    }
    return messages.at(-1)?.role === "user" ? shell("wc -l < notes.txt > count.out") : { text: "One line." };
  });
  assert.deepEqual(await agent.send("Write it."), { kind: "answered", text: "One line." });
  assert.equal(readFileSync(join(folder, "count.out"), "utf8").trim(), "1");
});

test("calls because of a hook are judged like all others", async (t) => {
  const place = await openPlace(
    t,
    ({ messages }) => (messages.at(-1)?.role === "user" ? shell("touch ran") : { text: "It was refused." }),
    { mode: "plan" },
  );
  const { agent, engine, folder, queue } = place;
  engine.fileChanged({ path: join(folder, "a.txt"), change: "changed" });
  await until(() => queue.added() === 1, "the hook has asked for the agent");
  assert.equal((await agent.send([])).kind, "answered");
  const answer = agent.messages()[2];
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["DENIED"]);
  assert.equal(existsSync(join(folder, "ran")), false);
});

test("a hook that triggers itself is passed on once in a task; the drop is reported to people and to the model", async (t) => {
  const place = await openPlace(t, async ({ messages }, index) => {
    const last = messages.at(-1);
    if (last?.role === "user" && last.from?.kind !== "guard") return write("notes.txt", `version ${index}\n`);
    // What was written is about to be heard of: wait for it, as slowly as any model would answer.
    const written = messages.filter(({ role }) => role === "tool").length;
    await until(() => queue.added() >= written, "the hook has asked for the agent");
    return { text: "Written." };
  });
  const { agent, events, queue } = place;
  assert.deepEqual(await agent.send("Write it."), { kind: "answered", text: "Written." });
  const given = agent
    .messages()
    .filter((message) => message.role === "user" && message.from?.kind === "hook");
  assert.equal(given.length, 1);
  assert.deepEqual(
    eventsOf(events, "prompt.dropped").map(({ hook, why }) => [hook, why]),
    [["check", "itself"]],
  );
  assert.equal(queue.added(), 2);
  // In the next task it may come again.
  assert.equal((await agent.send("Write it again.")).kind, "answered");
  const all = agent.messages().filter((message) => message.role === "user" && message.from?.kind === "hook");
  assert.equal(all.length, 2);
});

test("hooks of many files are passed on ten times in a task, and the model is told that there were more", async (t) => {
  const place = await openPlace(t, () => ({ text: "Noted." }));
  const { agent, engine, folder, events, queue } = place;
  for (let file = 0; file < 12; file += 1)
    engine.fileChanged({ path: join(folder, `${file}.txt`), change: "changed" });
  await until(() => queue.added() === 12, "every file has been heard of");
  assert.equal((await agent.send([])).kind, "answered");
  const given = agent.messages().filter((message) => message.role === "user");
  assert.equal(given.length, 10);
  assert.deepEqual(
    eventsOf(events, "prompt.dropped").map(({ why }) => why),
    ["many", "many"],
  );
  assert.match(
    inShort(place.model.requests[0]?.messages ?? []).at(-1) ?? "",
    /no longer passed on in this task: check/,
  );
});
