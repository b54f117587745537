import assert from "node:assert/strict";
import { test } from "node:test";
import { timeLeft } from "./run-job.ts";

test("a call may run for what is left of its time since the servers stored it, whatever the engine's clock shows", () => {
  const sent = { issuedAt: 1_000_000, expiresAt: 1_010_000 };
  for (const ahead of [-600_000, 0, 600_000]) {
    const storedAt = sent.issuedAt + ahead;
    assert.equal(timeLeft(sent, storedAt, storedAt), 10_000);
    assert.equal(timeLeft(sent, storedAt, storedAt + 7000), 3000);
    assert.equal(timeLeft(sent, storedAt, storedAt + 11_000), 1);
  }
});
