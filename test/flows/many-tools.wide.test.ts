// Hundreds and thousands of MCP tools behind the own agent: its requests stay within each provider's limits, and its model finds the right tool.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import { loadedTools } from "../support/models/deferred-tools.ts";
import { namesOfTools, tooManyTools } from "../support/models/provider-limits.ts";
import { KEY } from "../support/models/provider-model.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import type { Wire } from "../support/models/provider-wire.ts";
import { isLong } from "../support/property-runs.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { serveProvider, type ProviderRequest, type Served } from "../support/servers/provider-server.ts";
import { createPlace, runCli } from "./support/cli.ts";

const VERBS =
  "add archive assign cancel close count create export find import list merge move open pause print publish refund remove rename reset send sort tag update".split(
    " ",
  );
const NOUNS =
  "account album board booking budget campaign contract course customer device domain event".split(" ");
const AREAS = "sales press school clinic museum harbour farm studio library airport".split(" ");
const TASK = "delete a booking of the museum";
const RIGHT = "many__museum_remove_booking";

/** Returns tools like those of large servers, one for each thing that can be done with each thing of each area. */
function manyTools(count: number): readonly unknown[] {
  const right = RIGHT.slice("many__".length);
  const all = AREAS.flatMap((area) =>
    NOUNS.flatMap((noun) => VERBS.map((verb) => ({ area, noun, verb, name: `${area}_${verb}_${noun}` }))),
  );
  const others = all.filter(({ name }) => name !== right).slice(0, count - 1);
  return [...others, ...all.filter(({ name }) => name === right)].map(({ area, noun, verb, name }) =>
    toolOf(name, {
      description: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}s one ${noun} of the ${area}, by its id.`,
    }),
  );
}

/** A model that only knows the words of its task: it searches, activates the first tool that it finds, and calls it. */
function scriptedBy(wire: Wire, format: string) {
  return (request: ProviderRequest, index: number): Served => {
    const refuse = (reason: string): Served => ({
      status: 400,
      body: JSON.stringify(wire.refusal(reason, "invalid_request")),
    });
    const tooMany = tooManyTools(request.body, format);
    if (tooMany !== undefined) return refuse(tooMany);
    const loaded = loadedTools(request.body, format);
    if ("refusal" in loaded) return refuse(loaded.refusal);
    const said = JSON.stringify({ ...request.body, tools: undefined });
    const [found = "none"] = said.match(/many__\w+/) ?? [];
    const calls: readonly (readonly [string, JsonObject])[] = [
      ["search_tools", { query: TASK }],
      ["activate_tools", { tools: [found] }],
      [found, { text: "7" }],
    ];
    const next = calls[index];
    if (next === undefined) return { body: wire.stream({ text: "Done." }) };
    const [name, input] = next;
    if (!loaded.names.includes(name)) return refuse(`${name} is not loaded`);
    return { body: wire.stream({ calls: [{ id: `call_${index}`, name, json: JSON.stringify(input) }] }) };
  };
}

/** A usual run tries the first two. */
const MODELS = [
  ["openai-chat", WIRES["openai-chat"].id],
  // Takes tools in the middle of a conversation.
  ["openai", "openai/gpt-5.4-mini"],
  ["openai", WIRES.openai.id],
  ["anthropic", WIRES.anthropic.id],
  ["google", WIRES.google.id],
] as const;

for (const count of isLong ? [300, 3000] : [300])
  for (const [word, id] of isLong ? MODELS : MODELS.slice(0, 2))
    test(`${id}: the right one of ${count} MCP tools is found and called in three turns`, async (t) => {
      const wire: Wire = { ...WIRES[word], id };
      const place = createPlace(t);
      const server = await serveProvider(t, scriptedBy(wire, word));
      const { command, args } = rawServer(t, { tools: manyTools(count) }).server;
      const config = {
        mcpServers: { many: { command, args } },
        models: { [wire.id]: { baseUrl: server.url } },
      };
      writeFileSync(join(place.home, "config.json"), JSON.stringify(config));
      const environment = wire.key === undefined ? {} : { [wire.key]: KEY };
      // The list of the last time is offered at once, however long the server takes to start.
      assert.equal((await runCli(place, ["mcp", "test", "many"])).code, 0);
      const run = ["run", "Do the task.", "--model", wire.id, "--mode", "yolo"];
      const { code, stdout, stderr } = await runCli(place, run, { environment });
      assert.deepEqual([code, stdout], [0, "Done.\n"], stderr);
      assert.match(stderr, new RegExp(`→ ${RIGHT}[\\s\\S]*✓ ${RIGHT}`));

      const offered = server.requests.map(({ body }) => namesOfTools(body));
      const [first = [], second, third = []] = offered;
      const loaded = loadedTools(server.requests[2]?.body ?? {}, word);
      assert.ok(first.includes("search_tools") && first.includes("shell"), first.join(" "));
      assert.ok(!first.some((name) => name.startsWith("many__")));
      assert.deepEqual(second, first);
      const isAppended = id !== "openai/gpt-5.4-mini";
      assert.deepEqual(third, isAppended ? [...first, RIGHT] : first, "nothing is lost");
      assert.deepEqual("names" in loaded && loaded.names, [...first, RIGHT], "what is activated is the last");
      assert.ok((server.requests[0]?.text.length ?? 0) < 60_000);
    });
