import assert from "node:assert/strict";
import { test } from "node:test";
import {
  calls,
  failure,
  gate,
  receivedTexts,
  lastAnswer,
  openQuietTeam,
  openTeam,
  ROOT,
  SILENT,
  type Script,
} from "../../../test/support/agents/team.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openStore } from "../../store/open-store.ts";
import { openUnreadMessages } from "./unread-messages.ts";

test("a message to an unknown id suggests similar agents, by id or by name", async (t) => {
  const { create, write } = await openQuietTeam(t, { scout: SILENT });
  const { id } = await create("scout");
  const near = new RegExp(`did you mean ${id} \\(scout\\)\\?`);
  await assert.rejects(
    write("scuot"),
    failure("TOOL_FAILED", /no agent of this team has the id "scuot"/, near),
  );
  await assert.rejects(write(`${id.slice(0, -1)}_`), failure("TOOL_FAILED", /no agent/, near));
  await assert.rejects(
    write("nothing like it at all"),
    failure("TOOL_FAILED", /no agent/, /agents: lead \(lead\), agent-/),
  );
});

test("an agent cannot write to itself or to an ended agent", async (t) => {
  const { create, write, team } = await openQuietTeam(t, {
    brief: () => calls("agent_finish", { result_summary: "Done." }),
  });
  await assert.rejects(write("lead"), failure("TOOL_FAILED", /your own id/));
  const { id } = await create("brief");
  await team.settled();
  await assert.rejects(write(id), failure("TOOL_FAILED", new RegExp(`${id} \\(brief\\) has ended its work`)));
});

test("an agent that is not or no longer in the team can do nothing in it", async (t) => {
  const { own, create, team } = await openQuietTeam(t, { worker: SILENT });
  const outsider = { id: "outsider", name: "outsider" };
  const message = { to: "lead", type: "query", priority: "normal", text: "" } as const;
  await assert.rejects(own.send({ from: outsider, ...message }), failure("TOOL_FAILED", /no agent/));
  const member = await create("worker");
  await team.cancel(member.id);
  await assert.rejects(
    own.send({ from: { id: member.id, name: "worker" }, ...message }),
    failure("CANCELLED", /has ended/),
  );
});

test("a wait for an ended or idle agent fails: no message will come", async (t) => {
  const { create, own, team } = await openQuietTeam(t, {
    brief: () => calls("agent_finish", { result_summary: "Done." }),
    idle: () => ({ text: "What now?" }),
  });
  const members = [await create("brief"), await create("idle")];
  await team.settled();
  const { signal } = new AbortController();
  const wait = (from?: readonly string[]) =>
    own.wait({ by: ROOT, timeoutMs: 60_000, signal, ...(from !== undefined && { from }) });
  assert.equal((await wait()).length, 2, "what was told before is read first");
  await assert.rejects(wait(), failure("TOOL_FAILED", /no message will come: no other agent is at work/));
  for (const { id } of members)
    await assert.rejects(wait([id]), failure("TOOL_FAILED", /none of agent-\w+ is at work/));
  await assert.rejects(wait(["agent-x"]), failure("TOOL_FAILED", /no agent of this team/));
});

test("a wait for an agent ends when that agent ends without a message", async (t) => {
  const end = gate();
  const waits = gate();
  const place = await openQuietTeam(t, {
    async quiet() {
      await end.opened;
      return { text: "Nothing for you." };
    },
    curious(request, index) {
      const [, id = ""] = /quiet is (agent-\w+)/.exec(receivedTexts(request.messages).join()) ?? [];
      if (index === 0) return calls("wait_for_message", { from_agents: [id] });
      return { text: lastAnswer(request) };
    },
  });
  const { id } = await place.create("quiet");
  place.team.on((event) => {
    if (event.type === "member.changed" && event.member.state === "waiting_for_message") waits.open();
  });
  const curious = await place.create("curious", { task: `quiet is ${id}` });
  await waits.opened;
  end.open();
  await place.team.settled();
  const said = place.events.flatMap((event) => (event.type === "message.sent" ? [event.message] : []));
  assert.match(said.find(({ from }) => from.id === curious.id)?.text ?? "", /^Error: no message will come/);
});

test("an agent cannot finish while its children work or while it has unread messages", async (t) => {
  const end = gate();
  const answers: string[] = [];
  const finish = calls("agent_finish", { result_summary: "Done." });
  const place = await openQuietTeam(t, {
    async boss(request, index, { identity }) {
      answers.push(lastAnswer(request));
      if (index === 0) return calls("create_agent", { name: "worker", task: "Work." });
      if (index === 1) return finish;
      if (index === 2) {
        end.open();
        return calls("wait_for_message");
      }
      // It comes while the model thinks, so it cannot have been read.
      if (index === 3) await place.write(identity.id, "One more thing.");
      return finish;
    },
    async worker() {
      await end.opened;
      return { text: "Worked." };
    },
  });
  const { id } = await place.create("boss");
  await place.team.settled();
  assert.match(answers[2] ?? "", /^Error: agents that you created still work: agent-\w+ \(worker\)/);
  assert.match(answers[4] ?? "", /^Error: messages that you have not read: 1/);
  const boss = place.team.members().find((member) => member.id === id);
  assert.deepEqual([boss?.state, boss?.result], ["done", "Done."]);
  assert.deepEqual(place.team.members().at(-1)?.state, "done", "who rests below it ends with it");
});

test("an unread message is read by the same agent in another process; a read one is not, nor one of another session", async (t) => {
  const folder = temporaryFolder(t);
  const first = await openQuietTeam(
    t,
    { brief: () => ({ text: "for later" }) },
    { folder, wakesRoot: false },
  );
  await first.create("brief");
  await first.team.settled();
  await first.team.close();
  const asked: string[] = [];
  const lead: Script = (request) => {
    asked.push(receivedTexts(request.messages).join("|"));
    return { text: "I see." };
  };
  const other = await openQuietTeam(t, { lead }, { folder, root: { session: "another" } });
  await other.root.send("Anything?");
  assert.deepEqual(asked.splice(0), ["Anything?"]);
  const second = await openQuietTeam(t, { lead }, { folder });
  await second.team.settled();
  assert.equal(asked.length, 0, "it is not woken before its person speaks");
  await second.root.send("Hello.");
  assert.match(asked[0] ?? "", /^Hello\.\|\[result from brief .*\]\nfor later$/);
  await second.team.close();
  const third = await openQuietTeam(t, { lead }, { folder });
  await third.root.send("Hello again.");
  assert.equal(asked[1]?.split("for later").length, 2, "once, as part of what was said before");
});

for (const [way, script] of Object.entries({
  "by itself": [{ text: "I see." }],
  "with a wait": [calls("wait_for_message"), { text: "I see." }],
})) {
  test(`a message that was read ${way} by a process that ended before it removed it is not read again`, async (t) => {
    const folder = temporaryFolder(t);
    const lead: Script = (_, index) =>
      index === 0
        ? calls("create_agent", { name: "brief", task: "Be brief." })
        : (script[index - 1] ?? { text: "I see." });
    const first = await openTeam(t, { lead, brief: () => ({ text: "for later" }) }, { folder });
    await first.root.send("Hello.");
    await first.team.settled();
    await first.team.close();
    const sent = first.events.flatMap((event) => (event.type === "message.sent" ? [event.message] : []));
    assert.equal(sent.length, 1);
    const store = await openStore({ folder });
    const kept = openUnreadMessages(store.collections);
    for (const message of sent) await kept.add("s", message);
    const asked: string[] = [];
    const second = await openTeam(
      t,
      { lead: ({ messages }) => (asked.push(receivedTexts(messages).join("|")), { text: "I see." }) },
      { folder },
    );
    await second.root.send("Hello again.");
    assert.equal(asked[0]?.split("for later").length, 2, asked[0]);
    assert.deepEqual(await kept.load("s"), []);
    await store.close();
  });
}
