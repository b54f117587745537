// An agent that has another one do something, and waits for its report.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hook } from "../../src/core/hook.ts";
import { until } from "../support/servers/mcp.ts";
import {
  calls,
  gate,
  receivedTexts,
  lastAnswer,
  openQuietTeam,
  openTeam,
  ROOT,
  SILENT,
} from "../support/agents/team.ts";

test("a delegated task runs within its call: its turns and calls are progress, and its report is the answer", async (t) => {
  const progress: unknown[] = [];
  const place = await openTeam(t, {
    lead(request, index) {
      if (index === 0) return calls("subagent", { task: "Who is here?", max_turns: 5 });
      return { text: lastAnswer(request) };
    },
    subagent: (_, index) => (index === 0 ? calls("view_agent_graph") : { text: "Two of us." }),
  });
  place.engine.on((event) => event.type === "call.progressed" && progress.push(event.progress));
  const outcome = await place.root.send("Ask.");
  const [, child] = place.opened;
  const id = child?.identity.id ?? "";
  assert.deepEqual(outcome, { kind: "answered", text: `[report of ${id}: 2 turns, 1 call]\nTwo of us.` });
  assert.deepEqual(progress, [
    { message: `${id}: turn 1`, done: 1, total: 5 },
    { message: `${id}: view_agent_graph`, data: { calls: ["view_agent_graph"] } },
    { message: `${id}: turn 2`, done: 2, total: 5 },
  ]);
  assert.deepEqual([...place.sessions], ["s"]);
  assert.equal(place.team.members().at(-1)?.state, "done");
});

test("a delegated task that creates agents ends after them and is woken by their results", async (t) => {
  const late = gate();
  const place = await openTeam(t, {
    lead: (request, index) =>
      index === 0 ? calls("subagent", { task: "Delegate." }) : { text: lastAnswer(request) },
    subagent(request, index) {
      if (index === 0) return calls("create_agent", { name: "helper", task: "Help." });
      if (index === 1) {
        late.open();
        return { text: "I wait." };
      }
      return { text: `Helped: ${receivedTexts(request.messages).at(-1)?.split("\n")[1]}` };
    },
    async helper() {
      await late.opened;
      return { text: "here it is" };
    },
  });
  const outcome = await place.root.send("Go.");
  assert.match(outcome.kind === "answered" ? outcome.text : "", /Helped: here it is$/);
  assert.deepEqual([...place.sessions], ["s"]);
});

test("a delegated task ends also if the last agent below it ends without a message", async (t) => {
  const [atRest, reporting, ended] = [gate(), gate(), gate()];
  // The helper has told its result; while it makes room for another, the delegated task is done.
  const holds: Hook = {
    name: "slow",
    on: ["session_end"],
    run: async ({ session }) => {
      if (session?.split(".").length === 3) await ended.opened;
      return undefined;
    },
  };
  const place = await openQuietTeam(
    t,
    {
      async subagent(_, index) {
        if (index === 0) return calls("create_agent", { name: "helper", task: "Help." });
        if (index === 1) return calls("wait_for_message");
        atRest.open();
        await reporting.opened;
        return { text: "Reported." };
      },
      helper: (_, index) => (index === 0 ? calls("view_agent_graph") : { text: "Helped." }),
      other: () => ({ text: "Here." }),
    },
    { limits: { members: 3 }, engine: { hooks: [holds] } },
  );
  const { signal } = new AbortController();
  const report = place.own.delegate({ by: ROOT, task: "Delegate.", signal, emit: () => undefined });
  await atRest.opened;
  await place.create("other");
  reporting.open();
  await until(() => place.team.agent(place.opened[1]?.identity.id ?? "")?.state === "done", "its answer");
  ended.open();
  assert.equal((await report).text, "Reported.");
});

test("a delegated task that runs out of turns fails with the reason and its last answer", async (t) => {
  const place = await openTeam(t, {
    lead(request, index) {
      if (index === 0) return calls("subagent", { task: "Look.", max_turns: 2 });
      return { text: lastAnswer(request) };
    },
    subagent: (_, index) => ({ text: `still looking (${index})`, ...calls("view_agent_graph") }),
  });
  const outcome = await place.root.send("Go.");
  assert.match(
    outcome.kind === "answered" ? outcome.text : "",
    /^Error: It was stopped \(turns\): .*\nIts last answer: still looking \(1\)/,
  );
});

test("a delegated task that finishes by itself reports its summary and findings", async (t) => {
  const place = await openTeam(t, {
    lead: (request, index) =>
      index === 0 ? calls("subagent", { task: "Look." }) : { text: lastAnswer(request) },
    subagent: () => calls("agent_finish", { result_summary: "Nothing.", findings: ["dust"], success: false }),
  });
  const outcome = await place.root.send("Go.");
  assert.match(
    outcome.kind === "answered" ? outcome.text : "",
    /^\[report of .*\]\nIt could not complete its task\.\nNothing\.\n\nFindings:\n- dust$/,
  );
});

test("a delegated task cancelled while it waits for agents below it is a cancelled call, not its last answer", async (t) => {
  const rests = gate();
  const place = await openTeam(t, {
    lead: (request, index) =>
      index === 0 ? calls("subagent", { task: "Delegate." }) : { text: lastAnswer(request) },
    subagent: (_, index) =>
      index === 0 ? calls("create_agent", { name: "helper", task: "Help." }) : { text: "I wait." },
    helper: SILENT,
  });
  place.team.on((event) => {
    if (
      event.type === "member.changed" &&
      event.member.name === "subagent" &&
      event.member.state === "idle"
    ) {
      rests.open();
    }
  });
  const outcome = place.root.send("Go.");
  await rests.opened;
  const task = place.team.members().find(({ name }) => name === "subagent")?.id ?? "";
  await place.team.cancel(task, "not needed");
  const said = await outcome;
  assert.match(
    said.kind === "answered" ? said.text : said.kind,
    /^Error: It was stopped \(cancelled\): not needed/,
  );
  assert.deepEqual([...place.sessions], ["s"]);
});
