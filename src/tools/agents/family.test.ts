import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { engineOf, say } from "../../../test/support/engines/sources.ts";
import { SCOUT, fakeTeam } from "../../../test/support/agents/fake-team.ts";
import type { AgentInfo } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { TeamMember, TeamMessage } from "../../core/agent/team.ts";
import { agentTools } from "./family.ts";

function place(t: TestContext, agent: AgentInfo = SCOUT) {
  const team = fakeTeam();
  const plain = say("look", "", { aliases: ["peek"], risk: "low" });
  const engine = engineOf(t, { tools: [plain, ...agentTools()] });
  engine.groups.activate("agents");
  const run = (name: string, input: JsonObject = {}) =>
    engine.run(call(name, input), { session: "s", agent, context: team.context() });
  return { engine, team, run };
}

const GOOD: Readonly<Record<string, JsonObject>> = {
  subagent: { task: "What colour is the sky?" },
  create_agent: { name: "scout", task: "Look around." },
  send_message_to_agent: { target_agent_id: "lead", message: "Hello." },
  wait_for_message: {},
  view_agent_graph: {},
  agent_finish: { result_summary: "All is well." },
};

test("there is a case for each tool", () => {
  assert.deepEqual(
    agentTools().map(({ name }) => name),
    Object.keys(GOOD),
  );
});

for (const [name, input] of Object.entries(GOOD)) {
  test(`${name}: without a team it answers MISSING_CONTEXT, and so it does without an agent`, async (t) => {
    const { engine, team } = place(t);
    assert.equal(codeOf(await engine.run(call(name, input), { agent: SCOUT })), "MISSING_CONTEXT");
    assert.equal(codeOf(await engine.run(call(name, input), { context: team.context() })), "MISSING_CONTEXT");
  });

  test(`${name}: runs without approval in plan mode, because calls of the other agent are judged`, async (t) => {
    const { engine, team } = place(t);
    const ceilings = [{ mode: "plan" } as const];
    const result = await engine.run(call(name, input), { agent: SCOUT, context: team.context(), ceilings });
    assert.equal(codeOf(result), "ok", textOf(result));
  });
}

for (const name of [
  "subagent",
  "create_agent",
  "send_message_to_agent",
  "wait_for_message",
  "agent_finish",
]) {
  test(`${name}: an error of the team is the call's error, with its hint`, async (t) => {
    const { run, team } = place(t);
    team.fault = new ToolError("TOOL_FAILED", "there are too many", { hint: "wait" });
    const result = await run(name, GOOD[name]);
    assert.equal(codeOf(result), "TOOL_FAILED");
    assert.match(textOf(result), /there are too many[^]*wait/);
  });
}

test("a subagent's report is the answer, with its turns and calls; tool aliases are resolved", async (t) => {
  const { run, team } = place(t);
  const result = await run("subagent", { task: "Look.", tools: ["peek", "subagent"], max_turns: 4 });
  assert.equal(textOf(result), "[report of agent-2: 3 turns, 2 calls]\nIt is blue.");
  assert.deepEqual(result.ok && result.data, {
    agent_id: "agent-2",
    report: "It is blue.",
    turns: 3,
    calls: 2,
  });
  const [task] = team.asked.delegate;
  assert.deepEqual(
    [task?.task, task?.tools, task?.maxTurns, task?.by],
    ["Look.", ["look", "subagent"], 4, SCOUT],
  );
});

test("a subagent without limits gets none", async (t) => {
  const { run, team } = place(t);
  await run("subagent", { task: "Look." });
  const task = team.asked.delegate[0] as object;
  assert.ok(!("tools" in task) && !("maxTurns" in task));
});

test("a subagent cannot be given an unknown tool, and similar names are suggested", async (t) => {
  const { run, team } = place(t);
  const result = await run("subagent", { task: "Look.", tools: ["look", "lok"] });
  assert.equal(codeOf(result), "INVALID_INPUT");
  assert.match(textOf(result), /\/tools\/1[^]*look/);
  assert.deepEqual(team.asked.delegate, []);
});

test("a subagent outlives the engine's deadline, and its progress is reported", async (t) => {
  const { engine, team } = place(t);
  const heard: unknown[] = [];
  engine.on((event) => event.type === "call.progressed" && heard.push(event.progress));
  await engine.run(call("subagent", GOOD["subagent"]), { agent: SCOUT, context: team.context() });
  assert.deepEqual(heard, ["half way"]);
  const limits = engine.get("subagent")?.limits;
  assert.ok((limits?.timeoutMs ?? 0) >= 3_600_000 && (limits?.idleTimeoutMs ?? 0) >= 3_600_000);
});

test("create_agent inherits the conversation by default, and returns the id", async (t) => {
  const { run, team } = place(t);
  const result = await run("create_agent", { name: "second", task: "Look." });
  assert.deepEqual(result.ok && result.data, { agent_id: "agent-2", name: "second" });
  await run("create_agent", { name: "third", task: "Look.", inherit_context: false, skills: ["maps"] });
  assert.deepEqual(team.asked.create, [
    { by: SCOUT, name: "second", task: "Look.", inheritsContext: true, skills: [] },
    { by: SCOUT, name: "third", task: "Look.", inheritsContext: false, skills: ["maps"] },
  ]);
});

test("a message without type and priority is normal information", async (t) => {
  const { run, team } = place(t);
  await run("send_message_to_agent", { target_agent_id: "lead", message: "Hello." });
  await run("send_message_to_agent", {
    target_agent_id: "lead",
    message: "Help!",
    message_type: "query",
    priority: "urgent",
  });
  assert.deepEqual(team.asked.send, [
    { from: SCOUT, to: "lead", type: "information", priority: "normal", text: "Hello." },
    { from: SCOUT, to: "lead", type: "query", priority: "urgent", text: "Help!" },
  ]);
});

for (const [what, input] of [
  ["type that the team itself uses", { message_type: "result" }],
  ["priority that there is not", { priority: "immediate" }],
  ["empty text", { message: "" }],
  ["text over the limit", { message: "x".repeat(20_001) }],
] as const) {
  test(`a message with a ${what} is refused`, async (t) => {
    const { run, team } = place(t);
    const result = await run("send_message_to_agent", { target_agent_id: "lead", message: "Hi.", ...input });
    assert.equal(codeOf(result), "INVALID_INPUT");
    assert.deepEqual(team.asked.send, []);
  });
}

const MESSAGE: TeamMessage = {
  id: "message-1",
  from: { id: "agent-2", name: "second" },
  to: "agent-1",
  type: "result",
  priority: "urgent",
  text: "Found it.",
  at: 5,
};

test("waiting shows the messages in the order of the team, and the agent waits just as long", async (t) => {
  const { run, team } = place(t);
  team.waiting = [MESSAGE, { ...MESSAGE, priority: "normal", text: "Or not." }];
  const result = await run("wait_for_message", { timeout_seconds: 7, from_agents: ["agent-2"] });
  assert.equal(
    textOf(result),
    "[result from second (agent-2), urgent priority]\nFound it.\n\n[result from second (agent-2)]\nOr not.",
  );
  assert.deepEqual(team.happened, ["waits", "is asked", "waits no more"]);
  const [asked] = team.asked.wait;
  assert.deepEqual([asked?.timeoutMs, asked?.from], [7000, ["agent-2"]]);
  assert.equal(result.ok && (result.data as JsonObject)["timed_out"], false);
});

test("a wait without a message succeeds and says whether it timed out", async (t) => {
  const { run, team } = place(t);
  team.delayMs = 1001;
  const result = await run("wait_for_message", { timeout: 1 });
  assert.equal(textOf(result), "timed out: no message within 1 s");
  assert.deepEqual(result.ok && result.data, { messages: [], timed_out: true });
  team.delayMs = 0;
  const early = await run("wait_for_message");
  assert.equal(textOf(early), "No message: the wait was ended because the user wrote to you.");
  assert.deepEqual(early.ok && early.data, { messages: [], timed_out: false });
});

test("an agent whose wait fails does not wait any longer", async (t) => {
  const { run, team } = place(t);
  team.fault = new ToolError("TOOL_FAILED", "nobody is there");
  await run("wait_for_message");
  assert.deepEqual(team.happened, ["waits", "is asked", "waits no more"]);
});

test("the deadline of a wait comes after its own time is over", (t) => {
  const { engine } = place(t);
  const { timeoutMs = 0, idleTimeoutMs = 0 } =
    engine.get("wait_for_message")?.limitsOf?.({ timeout_seconds: 100 }) ?? {};
  assert.ok(timeoutMs > 100_000 && timeoutMs < 110_000 && idleTimeoutMs === timeoutMs);
});

test("the graph shows each agent below the one that created it, with its state and the beginning of its task", async (t) => {
  const { run, team } = place(t);
  const member = (id: string, parentId: string | undefined, more: Partial<TeamMember> = {}): TeamMember => ({
    id,
    name: id.toUpperCase(),
    parentId,
    task: "",
    state: "idle",
    result: undefined,
    ...more,
  });
  team.known = [
    member("lead", undefined, { state: "executing_tools" }),
    member("agent-1", "lead", { task: `Look\n${"x".repeat(200)}` }),
    member("agent-2", "lead", { state: "done", result: "42" }),
    member("agent-3", "agent-1"),
    member("agent-4", "gone"),
  ];
  const result = await run("view_agent_graph");
  assert.equal(
    textOf(result),
    [
      "- LEAD (lead): executing_tools",
      `  - AGENT-1 (agent-1): idle; Look ${"x".repeat(95)}… (you)`,
      "    - AGENT-3 (agent-3): idle",
      "  - AGENT-2 (agent-2): done",
      "- AGENT-4 (agent-4): idle",
    ].join("\n"),
  );
  const { agents } = (result.ok ? result.data : {}) as { agents: JsonObject[] };
  assert.deepEqual(agents.map((one) => one["result"]).filter(Boolean), ["42"]);
});

test("finishing reports to the team first and then ends the agent's work", async (t) => {
  const { run, team } = place(t);
  const result = await run("agent_finish", { result_summary: "Done.", findings: ["a"], success: false });
  assert.equal(codeOf(result), "ok");
  assert.deepEqual(team.asked.finish, [{ by: SCOUT, summary: "Done.", findings: ["a"], success: false }]);
  assert.deepEqual(team.happened, ["finishes"]);
});

test("an agent whose finish the team refuses works on", async (t) => {
  const { run, team } = place(t);
  team.fault = new ToolError("TOOL_FAILED", "a message waits");
  assert.equal(codeOf(await run("agent_finish", { result_summary: "Done." })), "TOOL_FAILED");
  assert.deepEqual(team.happened, []);
});

test("an agent without a parent cannot finish, and is told what to do", async (t) => {
  const { run, team } = place(t, { id: "lead", name: "lead" });
  const result = await run("agent_finish", { result_summary: "Done." });
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.match(textOf(result), /no agent has created you[^]*answer the person/);
  assert.deepEqual([team.asked.finish, team.happened], [[], []]);
});

test("the group is inactive at first, until it is activated", async (t) => {
  const engine = engineOf(t, { tools: agentTools() });
  assert.equal(codeOf(await engine.run(call("view_agent_graph"))), "TOOL_DISABLED");
  engine.groups.activate("agents");
  assert.notEqual(codeOf(await engine.run(call("view_agent_graph"))), "TOOL_DISABLED");
});
