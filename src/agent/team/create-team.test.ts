import assert from "node:assert/strict";
import { test } from "node:test";
import {
  calls,
  failure,
  gate,
  receivedTexts,
  openQuietTeam,
  ROOT,
  SILENT,
} from "../../../test/support/agents/team.ts";
import type { Skill, Skills } from "../../core/skills.ts";

test("an agent that fails ends the agents below it, and its unread messages are counted", async (t) => {
  const place = await openQuietTeam(t, {
    async boss(_, index, { identity }) {
      if (index === 0) return calls("create_agent", { name: "worker", task: "Work." });
      await place.write(identity.id, "Are you well?");
      throw new Error("no");
    },
    worker: SILENT,
  });
  await place.create("boss");
  await place.team.settled();
  const crash = place.events.find((event) => event.type === "message.sent" && event.message.type === "crash");
  assert.match(
    crash?.type === "message.sent" ? crash.message.text : "",
    /^It failed: [^]*\n\[messages that it did not read: 1\]$/,
  );
  assert.deepEqual(
    place.team.members().map(({ state }) => state),
    ["idle", "failed", "failed"],
  );
  assert.deepEqual([...place.sessions], ["s"]);
});

test("an agent that cannot be opened is an error of the call, and nothing is left of it", async (t) => {
  const { create, team, sessions } = await openQuietTeam(
    t,
    {},
    {
      opening({ identity }) {
        if (identity.name === "broken") throw new Error("no room");
      },
    },
  );
  await assert.rejects(create("broken"), /no room/);
  assert.equal(team.members().length, 1);
  assert.deepEqual([...sessions], ["s"]);
  await team.settled();
});

test("an agent that is cancelled while it is being opened never works", async (t) => {
  const opening = gate();
  const go = gate();
  const { create, team, sessions } = await openQuietTeam(
    t,
    { late: () => ({ text: "I work." }) },
    {
      async opening({ identity }) {
        if (identity.name !== "late") return;
        opening.open();
        await go.opened;
      },
    },
  );
  const created = create("late");
  await opening.opened;
  const cancelled = team.cancel();
  go.open();
  await assert.rejects(created, failure("CANCELLED", /cancelled/));
  assert.equal(await cancelled, true);
  assert.deepEqual([...sessions], ["s"]);
});

function skillsOf(known: Readonly<Record<string, boolean>>): Skills {
  const skill = (name: string, isTrusted: boolean): Skill => ({
    name,
    description: "",
    folder: "/",
    groups: [],
    tools: [],
    isTrusted,
  });
  return {
    list: async () => ({ skills: Object.entries(known).map((entry) => skill(...entry)), problems: [] }),
    async load(name) {
      const isTrusted = known[name];
      return isTrusted === undefined
        ? undefined
        : { skill: skill(name, isTrusted), text: `How to ${name}.`, files: [] };
    },
  };
}

test("a child's skills are in its instructions, after its name and id", async (t) => {
  const { create, opened } = await openQuietTeam(
    t,
    { cook: SILENT },
    { skills: skillsOf({ bake: true, fry: true }) },
  );
  const { id } = await create("cook", { skills: ["bake", "fry", "bake"] });
  const text = opened[1]?.instructions ?? "";
  assert.match(
    text,
    new RegExp(`You are cook \\(agent id ${id}\\)\\. lead \\(agent id lead\\) gave you your task`),
  );
  assert.equal(text.split("How to bake.").length, 2);
  assert.ok(text.indexOf("You are cook") < text.indexOf("How to fry."));
});

test("an unknown or untrusted skill starts no agent", async (t) => {
  const { create, opened } = await openQuietTeam(t, {}, { skills: skillsOf({ bake: true, poison: false }) });
  await assert.rejects(
    create("cook", { skills: ["bake", "bakke"] }),
    failure("TOOL_FAILED", /unknown skill "bakke"/, /bake/),
  );
  await assert.rejects(create("cook", { skills: ["bake", "poison"] }), failure("DENIED", /is not trusted/));
  assert.equal(opened.length, 1);
});

test("events are emitted in order; a listener that throws or was removed changes nothing", async (t) => {
  const place = await openQuietTeam(t, { brief: () => calls("agent_finish", { result_summary: "Done." }) });
  const seen: string[] = [];
  const stop = place.team.on(() => seen.push("gone"));
  stop();
  place.team.on(() => {
    throw new Error("clumsy");
  });
  place.team.on((event) => {
    if (event.type === "member.changed") seen.push(`${event.member.name} ${event.member.state}`);
    else if (event.type === "message.sent") seen.push(`${event.message.type} to ${event.message.to}`);
    else seen.push(`${event.type} ${event.member.name}`);
  });
  await place.create("brief");
  await place.team.settled();
  assert.deepEqual(seen, [
    "member.added brief",
    "brief waiting_for_model",
    "brief executing_tools",
    "brief idle",
    "member.finished brief",
    "result to lead",
  ]);
});

test("a team has one root, and none once it is closed; closing the root closes the team, once", async (t) => {
  const { team, root, create, own, sessions } = await openQuietTeam(t, { worker: SILENT });
  await assert.rejects(
    team.root({ identity: ROOT, session: "t" }),
    failure("INVALID_INPUT", /a root already/),
  );
  await create("worker");
  await root.close();
  await Promise.all([root.close(), team.close()]);
  assert.equal(sessions.size, 0);
  assert.deepEqual(await root.send("Hello?"), {
    kind: "stopped",
    why: "cancelled",
    detail: "the agent was closed",
  });
  await assert.rejects(create("worker"), failure("CANCELLED", /has ended/));
  await assert.rejects(team.root({ identity: ROOT, session: "t" }), failure("UNAVAILABLE", /closed/));
  assert.equal(team.agent("lead"), undefined);
  assert.equal(
    own.members().every(({ state }) => state === "done" || state === "failed"),
    true,
  );
});

test("a root stopped by its budget stops all agents below it, and reads about it in its next task", async (t) => {
  const begun = gate();
  const asked: string[] = [];
  const place = await openQuietTeam(
    t,
    {
      async lead(request, index) {
        asked.push(receivedTexts(request.messages).join("|"));
        if (index === 0) return calls("create_agent", { name: "worker", task: "Work." });
        await begun.opened;
        return index < 3 ? calls("view_agent_graph") : { text: "I see." };
      },
      worker(...given) {
        begun.open();
        return SILENT(...given);
      },
    },
    { root: { budget: { turns: 3 } } },
  );
  assert.equal((await place.root.send("Go.")).kind, "stopped");
  assert.deepEqual([...place.sessions], ["s"]);
  assert.equal(place.opened[1]?.budget.turns, 3 - 1);
  await place.root.send("Well?");
  assert.match(
    asked.at(-1) ?? "",
    /\[crash from worker .*\]\nIt was stopped \(cancelled\): lead was stopped/,
  );
});
