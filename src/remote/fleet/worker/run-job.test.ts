import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionOf, timeLeft } from "./run-job.ts";

test("a call may run for what is left of its time since the servers stored it, whatever the engine's clock shows", () => {
  const sent = { issuedAt: 1_000_000, expiresAt: 1_010_000 };
  for (const ahead of [-600_000, 0, 600_000]) {
    const storedAt = sent.issuedAt + ahead;
    assert.equal(timeLeft(sent, storedAt, storedAt), 10_000);
    assert.equal(timeLeft(sent, storedAt, storedAt + 7000), 3000);
    assert.equal(timeLeft(sent, storedAt, storedAt + 11_000), 1);
  }
});

test("no name of a session leads into the session of an engine's calls without one, nor two names into one", () => {
  const names = [
    "",
    "a",
    "engine a",
    "engine b",
    "named engine a",
    "named named engine a",
    "named a",
    "engine",
  ];
  const heads = ["a", "b"].flatMap((engine) => names.map((session) => ({ engine, session })));
  const sessions = new Set(heads.map(sessionOf));
  // Of two engines only the calls without a session differ.
  assert.equal(sessions.size, names.length + 1);
  assert.equal(sessionOf({ engine: "a", session: "a" }), "a");
});
