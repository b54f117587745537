import assert from "node:assert/strict";
import { test } from "node:test";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { calls, openQuietTeam, openTeam, type Script, type TeamPlace } from "../support/agents/team.ts";
import type { FakeAnswer } from "../support/models/fake-model.ts";

test("tokens are a shared budget: when it is spent, all agents that share it end, and no share is counted twice", async (t) => {
  const spends = (told: FakeAnswer): FakeAnswer => ({
    ...told,
    usage: { inputTokens: 100, outputTokens: 0 },
  });
  const place = await openTeam(
    t,
    {
      lead: (_, index) =>
        spends(
          index < 4
            ? calls("create_agent", { name: "worker", task: `Work, ${index}.` })
            : calls("wait_for_message"),
        ),
      worker: (_, index) => spends(calls("view_agent_graph", { n: index })),
    },
    { root: { budget: { tokens: 1500 } }, budget: { turns: 1000 } },
  );
  const outcome = await place.root.send("Go.");
  await place.team.settled();
  const spent = await tokensIn(place);
  assert.deepEqual(outcome.kind === "stopped" && outcome.why, "tokens");
  // What each of the five was just being answered when it became empty.
  assert.ok(spent >= 1500 && spent < 1500 + 5 * 100, `${spent} tokens`);
  assert.deepEqual([...place.sessions], ["s"]);
});

/** What was used by all sessions of a team. */
async function tokensIn({ folder, opened }: TeamPlace): Promise<number> {
  const store = await openStore({ folder });
  const transcripts = openTranscripts(store.collections);
  let tokens = 0;
  for (const { session } of opened)
    for (const entry of await transcripts.entries(session))
      if (entry.kind === "usage") tokens += entry.usage.inputTokens + entry.usage.outputTokens;
  await store.close();
  return tokens;
}

test("a woken root has the rest of its last task's budget, and stays idle when nothing is left", async (t) => {
  let asked = 0;
  const place = await openTeam(
    t,
    {
      lead(_, index) {
        asked += 1;
        const isMore = index % 2 === 0 && index < 20;
        return isMore
          ? calls("create_agent", { name: "quick", task: `Task ${index}.` })
          : { text: `${index}` };
      },
      quick: () => ({ text: "Done." }),
    },
    { root: { budget: { turns: 6 } } },
  );
  await place.root.send("Go.");
  assert.deepEqual(await place.team.settled(), { kind: "answered", text: "5" });
  assert.equal(asked, 6);
  // What came too late waits for the person, who has the whole budget again.
  await place.root.send("And then?");
  assert.ok(place.root.messages().some((message) => JSON.stringify(message).includes("[result from quick")));
  assert.ok(asked > 6);
});

test("two agents that write to each other without end run out of turns", async (t) => {
  let asked = 0;
  const ids: Record<string, string> = {};
  const writes =
    (to: string): Script =>
    ({ messages }, index) => {
      asked += 1;
      if (index === 0 || asked > 60 || messages.at(-1)?.role === "tool") return { text: "Well." };
      return calls("send_message_to_agent", { target_agent_id: ids[to], message: `Number ${index}.` });
    };
  const place = await openQuietTeam(
    t,
    { ping: writes("pong"), pong: writes("ping") },
    { budget: { turns: 8 }, opening: ({ identity }) => void (ids[identity.name] = identity.id) },
  );
  await place.create("ping");
  await place.create("pong");
  await place.team.settled();
  await place.write(ids["ping"] ?? "");
  await place.team.settled();
  assert.ok(asked > 8 && asked <= 16, `${asked} requests`);
});
