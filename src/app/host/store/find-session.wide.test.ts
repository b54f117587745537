import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { fill, isError, message, SESSION } from "../../../../test/support/agents/sessions.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { findSession, lastConversation, shortIds } from "./find-session.ts";
import { runs } from "../../../../test/support/property-runs.ts";

async function kept(...ids: readonly string[]) {
  const transcripts = openTranscripts(createMemoryCollections());
  for (const id of ids) await transcripts.open({ ...SESSION, id });
  return transcripts;
}

describe("findSession", () => {
  it("finds a session by its id, or by a beginning that no other has", async () => {
    const transcripts = await kept("run-1234", "run-12", "chat-9");
    for (const [word, id] of [
      ["run-12", "run-12"],
      ["run-123", "run-1234"],
      ["c", "chat-9"],
    ] as const) {
      assert.equal((await findSession(transcripts, word)).id, id);
    }
  });

  it("says which ones a beginning could mean, and names those that an unknown id is near to", async () => {
    const transcripts = await kept("run-1234", "run-1299");
    await assert.rejects(
      findSession(transcripts, "run-12"),
      isError("INVALID_INPUT", /beginning of 2 sessions/),
    );
    await assert.rejects(findSession(transcripts, "run-1243"), (error: Error & { readonly hint?: string }) =>
      /did you mean run-1234/.test(error.hint ?? ""),
    );
    await assert.rejects(
      findSession(transcripts, ""),
      isError("INVALID_INPUT", /no stored session has the id ""/),
    );
  });
});

describe("lastConversation", () => {
  it("is the last session with a message that no other agent began", async () => {
    const transcripts = openTranscripts(createMemoryCollections());
    await assert.rejects(
      lastConversation(transcripts, SESSION.workspace),
      isError("INVALID_INPUT", /no conversation is stored for this folder/),
    );
    const hello = message({ role: "user", content: [{ type: "text", text: "hello" }] });
    await fill(transcripts, [hello], "begun");
    await transcripts.open({ ...SESSION, id: "sub", agent: { id: "a", name: "Sub", parentId: "agent-1" } });
    await transcripts.append("sub", hello);
    await transcripts.open({ ...SESSION, id: "empty" });
    assert.equal(await lastConversation(transcripts, SESSION.workspace), "begun");
  });
});

describe("shortIds", () => {
  it("gives for every id a beginning that finds it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.stringMatching(/^[ab]{1,14}$/), { maxLength: 12 }), async (ids) => {
        const transcripts = await kept(...ids);
        for (const [index, short] of shortIds(ids).entries()) {
          assert.ok(ids[index]?.startsWith(short));
          assert.equal((await findSession(transcripts, short)).id, ids[index]);
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
