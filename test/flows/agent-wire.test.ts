// The tools that are active are in the bytes that each provider gets, whatever changes in the middle of a session.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import { createMcpSource } from "../../src/sources/mcp/source.ts";
import { createSkills } from "../../src/app/host/skills/skills.ts";
import { activateTools } from "../../src/tools/about/activate-tools.ts";
import { triggerHotSwap } from "../../src/tools/session/trigger-hot-swap.ts";
import { assertWhole, inShort, openAgent } from "../support/agents/agent.ts";
import { rawServer, toolOf, until } from "../support/servers/mcp.ts";
import { modelOn } from "../support/models/provider-model.ts";
import type { ProviderRequest } from "../support/servers/provider-server.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import { writeSkill } from "../support/agents/skills.ts";
import { say } from "../support/engines/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** One call a turn, and what of the tools that come and go is offered when it is made. */
const STORY: readonly (readonly [name: string, input: JsonObject, offered: readonly string[] | undefined])[] =
  [
    ["grow", {}, ["saw"]],
    ["activate_tools", { groups: ["about", "metal"], replace: true }, ["fresh", "raw__old", "saw"]],
    ["trigger_hot_swap", { skills: ["carve"] }, ["fresh", "raw__old", "torch"]],
    ["raw__changed", {}, ["fresh", "raw__old", "saw", "torch"]],
    // The server may be heard of sooner or later.
    ["settle", {}, undefined],
  ];
const LAST = ["fresh", "saw", "torch"];
const COMING_AND_GOING = new Set(["fresh", "raw__old", "saw", "torch"]);

for (const [provider, wire] of Object.entries(WIRES)) {
  test(`${provider} is sent every tool that is active now, and no other`, async (t) => {
    const calls = STORY.map(([name, input], index) => ({
      id: `call_${index}`,
      name,
      json: JSON.stringify(input),
    }));
    const { model, server } = await modelOn(t, wire, [
      ...calls.map((call) => ({ body: wire.stream({ calls: [call] }) })),
      { body: wire.stream({ text: "All seen." }) },
    ]);
    const folder = temporaryFolder(t);
    writeSkill(folder, "carve", { head: "name: carve\ndescription: Carves.\ngroups: [about, wood]" });
    const skills = createSkills([{ path: folder }]);
    const { agent, engine } = await openAgent(t, [], { realModel: model, skills });
    const raw = rawServer(t, { tools: [toolOf("changed")] });
    const source = createMcpSource({ name: "raw", server: raw.server, connectTimeoutMs: 15_000 });
    engine.groups.create("about");
    engine.groups.create("wood");
    engine.groups.create("metal", { active: false });
    engine.add([
      activateTools(),
      triggerHotSwap(skills),
      { ...say("saw"), group: "wood" },
      { ...say("torch"), group: "metal" },
      {
        ...say("grow"),
        async run() {
          engine.add(say("fresh"));
          raw.plan({ tools: [toolOf("changed"), toolOf("old")] });
          engine.sources.add(source);
          await engine.sources.settled();
          raw.plan({ tools: [toolOf("changed")] });
          return "grown";
        },
      },
      {
        ...say("settle"),
        async run() {
          await until(() => engine.get("raw__old") === undefined, "the old tool is gone");
          return "settled";
        },
      },
    ]);
    assert.deepEqual(await agent.send("Look at your tools."), { kind: "answered", text: "All seen." });
    for (const message of agent.messages())
      if (message.role === "tool")
        assert.ok(
          message.results.every(({ ok }) => ok),
          JSON.stringify(message),
        );
    const seen = server.requests.map((request) =>
      toolsIn(request)
        .filter((name) => COMING_AND_GOING.has(name))
        .sort(),
    );
    for (const [index, [, , offered]] of STORY.entries())
      if (offered !== undefined) assert.deepEqual(seen[index], offered);
    assert.deepEqual(seen.at(-1), LAST);
  });

  test(`${provider} takes back a conversation that was cancelled in the middle of an answer`, async (t) => {
    const whole = wire.stream({ text: "Once upon a time there was a lamp." });
    const half = whole.slice(0, Math.floor(whole.length / 2));
    const { model, server } = await modelOn(t, wire, [
      { body: half, then: "hang" },
      { body: wire.stream({ text: "The end." }) },
    ]);
    const { agent } = await openAgent(t, [], { realModel: model });
    const heard = Promise.withResolvers<void>();
    agent.on((event) => event.type === "model.text" && heard.resolve());
    const outcome = agent.send("Tell me a story.");
    await heard.promise;
    agent.cancel("enough");
    assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "enough" });
    assert.match(inShort(agent.messages()).at(-1) ?? "", /^assistant: \S[^]*\[cut off here: enough\]$/);
    assert.deepEqual(await agent.send("And then?"), { kind: "answered", text: "The end." });
    assertWhole(agent.messages());
    assert.match(server.requests[1]?.text ?? "", /\[cut off here: enough\]/);
  });
}

/** The names of the tools in a request, in whichever form its provider wants them. */
function toolsIn({ body }: ProviderRequest): readonly string[] {
  const tools = (body["tools"] ?? []) as readonly JsonObject[];
  return tools.flatMap((tool) => {
    const declared = tool["functionDeclarations"] as readonly JsonObject[] | undefined;
    if (declared !== undefined) return declared.map(({ name }) => name as string);
    const own = (tool["function"] ?? tool) as JsonObject;
    return [own["name"] as string];
  });
}
