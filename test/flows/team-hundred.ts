// A program, run by team-hundred.test.ts in a process of its own: a hundred agents that write to each other, counted and weighed.
// It must end by itself: a timer, a handle or a listener that is left would keep it running.
import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/create-agent.ts";
import { createTeam } from "../../src/agent/team/create-team.ts";
import type { Message } from "../../src/core/agent/message.ts";
import type { Model, ModelRequest } from "../../src/core/agent/model.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { agentTools } from "../../src/tools/agents/family.ts";
import { fakeModel, type FakeAnswer } from "../support/models/fake-model.ts";

const AGENTS = 100;
const CHILDREN = AGENTS - 1;
const MESSAGES_EACH = 5;
const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

const [, , folder = ""] = process.argv;
const store = await openStore({ folder });
const { collections, journal } = store;
const engine = createEngine({ mode: "yolo", journal, tools: agentTools() });
engine.groups.activate("agents");
const open = new Set<string>();
const read = new Map<string, number>();
const ids: string[] = [];
const everybody = Promise.withResolvers<void>();
let talking = 0;
let mostTalking = 0;

const team = createTeam({
  collections,
  limits: { members: AGENTS },
  async open(member) {
    const { identity, session } = member;
    const place = identity.parentId === undefined ? undefined : ids.push(identity.id) - 1;
    const agent = await createAgent({
      engine,
      model: team.share(counted(place === undefined ? lead : (request) => child(request, place))),
      collections,
      journal,
      workspace: folder,
      ...member,
      instructions: `You work.\n\n${member.instructions}`,
    });
    agent.on((event) => {
      if (event.type !== "message.added") return;
      for (const [name] of textOf(event.message).matchAll(/letter-\d+-\d+;/g)) {
        read.set(name, (read.get(name) ?? 0) + 1);
      }
    });
    open.add(session);
    if (ids.length === CHILDREN) everybody.resolve();
    return {
      ...agent,
      get state() {
        return agent.state;
      },
      close: () => agent.close().then(() => void open.delete(session)),
    };
  },
});

const heapBefore = heap();
const startedAt = performance.now();
const root = await team.root({ identity: { id: "lead", name: "lead" }, session: "s" });
const outcome = await root.send("Begin.");
await team.settled();
const ms = performance.now() - startedAt;
const alive = team.members().filter(({ state }) => state !== "done" && state !== "failed").length;
const heapAfter = heap();
const openBefore = open.size;
await team.close();
await engine.close();
await store.close();
const sent = Array.from({ length: CHILDREN }, (_, from) =>
  Array.from({ length: MESSAGES_EACH }, (__, number) => `letter-${from}-${number};`),
).flat();
process.stdout.write(
  JSON.stringify({
    outcome,
    alive,
    openBefore,
    openAfter: open.size,
    sent: sent.length,
    lost: sent.filter((name) => !read.has(name)),
    twice: [...read].filter(([, count]) => count !== 1),
    mostTalking,
    bytesAnAgent: Math.round((heapAfter - heapBefore) / AGENTS),
    ms: Math.round(ms),
  }),
);

/** Creates all the others at once, and is done when each has told its result. */
async function lead({ messages }: ModelRequest): Promise<FakeAnswer> {
  if (messages.length === 1) {
    const input = (index: number) => ({
      name: `worker-${index}`,
      task: "Write and read.",
      inherit_context: false,
    });
    return {
      calls: Array.from({ length: CHILDREN }, (_, index) => ({ name: "create_agent", input: input(index) })),
    };
  }
  const results = new Set(
    messages
      .map(textOf)
      .join("\n")
      .match(/result from worker-\d+ /g),
  );
  return results.size === CHILDREN
    ? { text: "All have told." }
    : { calls: [{ name: "wait_for_message", input: {} }] };
}

/** Writes to the next few, and is done when it has read what was written to it. */
async function child({ messages }: ModelRequest, place: number): Promise<FakeAnswer> {
  await everybody.promise;
  const letters = new Set(
    messages
      .map(textOf)
      .join("\n")
      .match(/letter-\d+-\d+;/g),
  );
  if (!messages.some(({ role }) => role === "assistant")) {
    return {
      calls: Array.from({ length: MESSAGES_EACH }, (_, number) => ({
        name: "send_message_to_agent",
        input: {
          target_agent_id: ids[(place + number * 7 + 1) % CHILDREN],
          message: `letter-${place}-${number};`,
          priority: PRIORITIES[number % PRIORITIES.length],
        },
      })),
    };
  }
  if (letters.size < MESSAGES_EACH) return { calls: [{ name: "wait_for_message", input: {} }] };
  return { text: `I have read ${letters.size}.` };
}

/** The model keeps nothing of what it was asked, and counts how many ask it at once. */
function counted(answer: (request: ModelRequest) => Promise<FakeAnswer>): Model {
  return {
    id: "fake/model",
    format: "openai",
    window: 100_000,
    price: undefined,
    async *stream(request) {
      talking += 1;
      mostTalking = Math.max(mostTalking, talking);
      try {
        yield* fakeModel(() => answer(request)).stream(request);
      } finally {
        talking -= 1;
      }
    },
  };
}

/** What came to the agent; not what it wrote itself. */
function textOf(message: Message): string {
  if (message.role === "user") return JSON.stringify(message.content);
  if (message.role === "assistant") return "";
  const waits = message.results.filter(({ name }) => name === "wait_for_message");
  return JSON.stringify(waits.map(({ content }) => content));
}

function heap(): number {
  assert.ok(globalThis.gc !== undefined, "node --expose-gc");
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
