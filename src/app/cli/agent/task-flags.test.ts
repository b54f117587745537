import assert from "node:assert/strict";
import { test } from "node:test";
import type { Arguments } from "../../terminal/input/command.ts";
import { readBudget, readOutputSchema, resumedSession } from "./task-flags.ts";

const given = (flags: Arguments["flags"]): Arguments => ({ flags, positionals: [] });

test("the limits of a task are those of its flags, and fractions are for money and time only", () => {
  assert.deepEqual(readBudget(given({ "max-turns": "3", "max-cost": "0.5" })), { turns: 3, money: 0.5 });
  assert.deepEqual(readBudget(given({})), {});
  for (const flags of [{ "max-turns": "1.5" }, { "max-cost": "0" }, { "max-seconds": "soon" }])
    assert.throws(() => readBudget(given(flags)), { code: "INVALID_INPUT" });
});

test("a session is resumed by its id, or as the last one, but not both", () => {
  assert.equal(resumedSession(given({ resume: "1f0c" })), "1f0c");
  assert.equal(resumedSession(given({ continue: true })), true);
  assert.equal(resumedSession(given({})), undefined);
  assert.throws(() => resumedSession(given({ continue: true, resume: "1f0c" })), { code: "INVALID_INPUT" });
});

test("a schema that cannot be read is refused with the name of its file", () => {
  const flags = { "output-schema": "no-such-schema.json" };
  assert.throws(
    () => readOutputSchema(given(flags), import.meta.dirname),
    /cannot read no-such-schema\.json/,
  );
});
