// What providers cache, the tools and the system prompt, is the same in every request of a conversation, and each request goes on where
// the one before ended, whatever the model and the user change in between.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createAgentHost } from "../../src/app/host/agent/agent-host.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { loadedTools, toolsOf } from "../support/models/deferred-tools.ts";
import { modelOn } from "../support/models/provider-model.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import type { Wire } from "../support/models/provider-wire.ts";
import { isLong } from "../support/property-runs.ts";
import { openBorderHost } from "../support/sandboxes/border-host.ts";
import type { ProviderRequest } from "../support/servers/provider-server.ts";

const TURNS = isLong ? 50 : 14;

type Provider = keyof typeof WIRES;
/** Wires and whether they take activated tools after what is cached. */
const CASES: readonly (readonly [Provider, Wire, boolean])[] = [
  ["anthropic", WIRES.anthropic, true],
  ["anthropic", { ...WIRES.anthropic, id: "anthropic/claude-3-7-sonnet-latest" }, false],
  ["openai", { ...WIRES.openai, id: "openai/gpt-5.4-mini" }, true],
  ["openai", WIRES.openai, false],
  ["openai-chat", WIRES["openai-chat"], false],
  ["google", WIRES.google, false],
  ["ollama", WIRES.ollama, false],
  ["compatible", WIRES.compatible, false],
];

/** The calls of the turns that change something; in the others the model lists a folder. */
const CHANGES: Readonly<Record<number, readonly [name: string, input: JsonObject]>> = {
  2: ["activate_tools", { tools: ["remember", "create_goal"] }],
  3: ["remember", { key: "colour", value: "green" }],
  4: ["create_goal", { description: "ship the lamp" }],
  5: ["record_decision", { description: "Colour", rationale: "green" }],
  7: ["activate_tools", { groups: ["memory"] }],
  8: ["list_notes", {}],
  9: ["list_notes", { search: "x" }],
};

for (const [provider, wire, bringsTools] of CASES)
  test(`${wire.id}: the cached beginning stays the same over ${TURNS} turns`, async (t) => {
    const calls = Array.from({ length: TURNS - 1 }, (_, index) => {
      const [name, input] = CHANGES[index + 1] ?? ["ls", { path: ".", max_depth: (index % 3) + 1 }];
      return { calls: [{ id: `call_${index}`, name, json: JSON.stringify(input) }] };
    });
    const answers = [...calls, { text: "Done." }].map((answer) => ({ body: wire.stream(answer) }));
    const { model, server } = await modelOn(t, wire, answers, { window: 200_000 });
    const { host, workspace } = await openBorderHost(t, { mode: "auto" });
    mkdirSync(join(workspace, ".git"));
    const head = (branch: string): void =>
      writeFileSync(join(workspace, ".git/HEAD"), `ref: refs/heads/${branch}\n`);
    head("main");
    const agents = createAgentHost(host);
    let turn = 0;
    await using open = await agents.open({
      model,
      kind: "run",
      budget: { turns: TURNS },
      onEvent({ type }) {
        if (type !== "turn.started") return;
        turn += 1;
        if (turn === 6) host.setMode("edits");
        if (turn === 7) head("feature/lamp");
      },
    });
    assert.deepEqual(await open.agent.send("Look around."), { kind: "answered", text: "Done." });

    const bodies = server.requests.map(({ body }) => body);
    assert.equal(bodies.length, TURNS);
    const [first = {}, ...later] = bodies;
    for (const body of later) {
      assert.equal(systemOf(body), systemOf(first));
      const cached = cachedTools(first);
      if (bringsTools) assert.equal(cachedTools(body), cached);
      else assert.equal(cachedTools(body).slice(0, cached.length - 1), cached.slice(0, -1));
    }
    for (const [index, body] of later.entries()) {
      const before = bodies[index] ?? {};
      const told = messagesOf(before);
      // Notes for one request, such as its budget, come last and are not part of the next.
      const lasting = told.filter((message) => !message.includes("[status of this task]"));
      assert.deepEqual(messagesOf(body).slice(0, lasting.length), lasting);
    }

    const loaded = bodies.map((body) => loadedTools(body, provider));
    for (const [index, one] of loaded.entries())
      assert.ok("names" in one, `${index}: ${JSON.stringify(one)}`);
    const names = (index: number): readonly string[] => {
      const one = loaded[index];
      return one !== undefined && "names" in one ? one.names : [];
    };
    assert.ok(!names(1).includes("remember") && names(2).includes("remember"));
    assert.ok(names(7).includes("list_notes"));
    const text = server.requests.at(-1)?.text ?? "";
    assert.match(text, /The approval mode is edits now/);
    assert.match(text, /branch feature\/lamp now/);
  });

function systemOf({
  system,
  instructions,
  systemInstruction,
  messages,
  input,
}: ProviderRequest["body"]): string {
  const list = (messages ?? input ?? []) as readonly JsonObject[];
  const own = list.filter(({ role }) => role === "system" || role === "developer");
  const texts = own.filter(({ type }) => type !== "additional_tools");
  const text = JSON.stringify([system, instructions, systemInstruction, texts]);
  assert.match(text, /You are Toolwright/);
  return text;
}

/** The tools that are part of the beginning: those that are not deferred. */
function cachedTools(body: ProviderRequest["body"]): string {
  return JSON.stringify(toolsOf(body).filter((tool) => tool["defer_loading"] !== true));
}

/** The messages in order, without the mark of where the provider's cache ends. */
function messagesOf({ messages, input, contents }: ProviderRequest["body"]): readonly string[] {
  const list = (messages ?? input ?? contents) as readonly JsonObject[];
  return list.map((message) =>
    JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
}
