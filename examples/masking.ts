// Secrets are masked in answers, events and the journal: hidden presets, values given as secrets, and text that looks like a token.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, type EngineEvent } from "toolwright";

const echo = defineTool({
  name: "echo",
  description: "Says back what it was told and knows.",
  input: object({ token: string(), text: string() }),
  risk: "low",
  run({ token, text }, { emit }) {
    emit(`using ${token}`);
    return { text, token, note: "key: correct-horse-battery" };
  },
});

const events: EngineEvent[] = [];
const engine = createEngine({
  secrets: ["correct-horse-battery"],
  log: (event) => events.push(event),
});
engine.add(echo, { presets: { token: "hidden-preset-42" } });

const text = "found ghp_0123456789abcdefghijklmn in .env";
const result = await engine.run({ id: "1", name: "echo", input: { text } });
assert.ok(result.ok);
console.log(result.data);
assert.deepEqual(result.data, {
  text: "found ⟦masked⟧ in .env",
  token: "⟦masked⟧",
  note: "key: ⟦masked⟧",
});
assert.doesNotMatch(JSON.stringify([result, events]), /hidden-preset|correct-horse|ghp_/);

// An input that contains a mask was copied from an answer: it is refused, so that it never replaces the secret.
const write = defineTool({
  name: "write",
  description: "Writes text.",
  input: object({ text: string() }),
  risk: "low",
  run: () => "written",
});
engine.add(write);
const refused = await engine.run({ id: "2", name: "write", input: { text: "key: ⟦masked⟧" } });
assert.ok(!refused.ok);
console.log(refused.error);
assert.equal(refused.error.code, "INVALID_INPUT");
await engine.close();
