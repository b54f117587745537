import assert from "node:assert/strict";
import { test } from "node:test";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { TeamPlace } from "../support/team.ts";
import { calls, openTeam } from "../support/team.ts";
import type { Told } from "../support/told-model.ts";

test("tokens are one purse: when it is empty everybody who lives of it ends, and nobody's share is counted anew", async (t) => {
  const spends = (told: Told): Told => ({ ...told, usage: { inputTokens: 100, outputTokens: 0 } });
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
