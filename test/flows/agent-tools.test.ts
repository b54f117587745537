// The tools that are active always reach the model: whatever changes in the middle of a session is in its next request.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Tool } from "../../src/core/tool.ts";
import { createMcpSource } from "../../src/sources/mcp/source.ts";
import { createSkills } from "../../src/app/host/skills/skills.ts";
import { activateTools } from "../../src/tools/about/activate-tools.ts";
import { triggerHotSwap } from "../../src/tools/session/trigger-hot-swap.ts";
import { openAgent, type AgentPlace, type AgentPlaceOptions } from "../support/agents/agent.ts";
import { rawServer, toolOf, until } from "../support/servers/mcp.ts";
import { writeSkill } from "../support/agents/skills.ts";
import { say } from "../support/engines/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { FakeAnswer } from "../support/models/fake-model.ts";

/** The names of the tools in each request. */
function offered({ model }: AgentPlace): readonly (readonly string[])[] {
  return model.requests.map(({ tools }) => tools.map(({ name }) => name));
}

async function talk(
  t: TestContext,
  answers: readonly FakeAnswer[],
  options: AgentPlaceOptions,
): Promise<readonly (readonly string[])[]> {
  const place = await openAgent(t, [...answers, { text: "Done." }], options);
  assert.deepEqual(await place.agent.send("Go."), { kind: "answered", text: "Done." });
  return offered(place);
}

const calls = (name: string, input: unknown = {}): FakeAnswer => ({ calls: [{ name, input }] });

/** A tool that changes the engine while it runs. */
function changing(name: string, change: () => void): Tool {
  return {
    ...say(name),
    run() {
      change();
      return "changed";
    },
  };
}

test("a group that the model activates is in its next request, one that it deactivates is not", async (t) => {
  const tools = [
    activateTools(),
    say("hammer"),
    { ...say("saw"), group: "wood" },
    { ...say("torch"), group: "metal" },
  ];
  const place = await openAgent(
    t,
    [
      calls("activate_tools", { groups: ["about", "metal"], replace: true }),
      calls("torch"),
      { text: "Done." },
    ],
    { engine: { tools: [] } },
  );
  place.engine.groups.create("about");
  place.engine.groups.create("wood");
  place.engine.groups.create("metal", { active: false });
  place.engine.add(tools);
  await place.agent.send("Go.");
  assert.deepEqual(offered(place), [
    ["activate_tools", "hammer", "saw"],
    ["activate_tools", "hammer", "torch"],
    ["activate_tools", "hammer", "torch"],
  ]);
  const answer = place.agent.messages()[4];
  assert.ok(answer?.role === "tool" && answer.results[0]?.ok === true);
});

test("a group that the host program activates during a call is in the next request", async (t) => {
  const place = await openAgent(t, [calls("change"), calls("change"), { text: "Done." }]);
  const { engine } = place;
  engine.groups.create("wood", { active: false });
  let isOn = false;
  const change = changing("change", () => {
    isOn = !isOn;
    const { groups } = engine.session("s");
    if (isOn) groups.activate("wood");
    else groups.deactivate("wood");
  });
  engine.add([change, { ...say("saw"), group: "wood" }]);
  await place.agent.send("Go.");
  assert.deepEqual(offered(place), [["change"], ["change", "saw"], ["change"]]);
});

test("a tool that is added, replaced or removed during a call is so in the next request", async (t) => {
  const place = await openAgent(t, [calls("change"), calls("change"), calls("change"), { text: "Done." }]);
  const { engine, model } = place;
  const steps = [
    () => engine.add(say("fresh")),
    () => engine.add({ ...say("fresh"), description: "Says it better." }, { replace: true }),
    () => void engine.remove("fresh"),
  ];
  engine.add(changing("change", () => steps.shift()?.()));
  await place.agent.send("Go.");
  assert.deepEqual(offered(place), [["change"], ["change", "fresh"], ["change", "fresh"], ["change"]]);
  assert.deepEqual(
    model.requests.map(({ tools }) => tools[1]?.description),
    [undefined, "Says something.", "Says it better.", undefined],
  );
});

test("a hot swap adds the tools of its skill to the next request", async (t) => {
  const folder = temporaryFolder(t);
  writeSkill(folder, "carve", {
    head: "name: carve\ndescription: Carves.\ngroups: [about, wood]",
    text: "Carve with care.",
  });
  const skills = createSkills([{ path: folder, isTrusted: () => true }]);
  const place = await openAgent(t, [calls("trigger_hot_swap", { skills: ["carve"] }), { text: "Done." }], {
    skills,
  });
  place.engine.groups.create("about");
  place.engine.groups.create("metal");
  place.engine.groups.create("wood", { active: false });
  place.engine.add([
    triggerHotSwap(skills),
    { ...say("saw"), group: "wood" },
    { ...say("torch"), group: "metal" },
  ]);
  await place.agent.send("Go.");
  assert.deepEqual(offered(place), [
    ["trigger_hot_swap", "torch"],
    ["trigger_hot_swap", "torch", "saw"],
  ]);
  assert.match(place.model.requests[1]?.instructions ?? "", /Carve with care\./);
});

test("a tool that an MCP server removes is not in the next request, and one that it adds is once it is approved", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("changed"), toolOf("old")] });
  const source = createMcpSource({ name: "raw", server: raw.server, connectTimeoutMs: 15_000 });
  const { signal } = new AbortController();
  const place: AgentPlace = await openAgent(t, async (_request, index) => {
    if (index === 0) return calls("raw__changed");
    if (index === 1) {
      await until(() => place.engine.get("raw__old") === undefined, "the old tool is gone");
      return calls("approve");
    }
    if (index > 2) return { text: "Done." };
    await until(() => place.engine.get("raw__new") !== undefined, "the new tool is there");
    return calls("raw__new", { text: "hello" });
  });
  const { engine } = place;
  engine.add({
    ...say("approve"),
    run: async () => source.approve(await source.review(signal)),
  });
  engine.sources.add(source);
  await engine.sources.settled();
  raw.plan({ tools: [toolOf("changed"), toolOf("new")] });
  await place.agent.send("Go.");
  const requests = offered(place);
  assert.deepEqual(requests[0], ["approve", "raw__changed", "raw__old"]);
  assert.ok(!requests[2]?.includes("raw__old"));
  assert.deepEqual(requests[3], ["approve", "raw__changed", "raw__new"]);
  const answer = place.agent.messages().at(-2);
  assert.ok(answer?.role === "tool" && answer.results[0]?.ok === true);
});

test("a session of a child never offers what its parent's lacks", async (t) => {
  const place = await openAgent(t, [calls("hammer"), { text: "Done." }], {
    session: "child",
    parentSession: "parent",
  });
  const { engine } = place;
  engine.groups.create("wood");
  engine.add([say("hammer"), { ...say("saw"), group: "wood" }]);
  engine.session("parent").groups.deactivate("wood");
  engine.session("child").groups.activate("wood");
  await place.agent.send("Go.");
  assert.deepEqual(offered(place), [["hammer"], ["hammer"]]);
});

test("with no active tool a request offers none", async (t) => {
  assert.deepEqual(await talk(t, [], {}), [[]]);
});
