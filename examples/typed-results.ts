// A tool with an `output`: `run`, `engine.call` and the answer's data are typed by it.
import assert from "node:assert/strict";
import { createEngine, defineTool, detailsOf, integer, object, string } from "toolwright";
import { z } from "zod";

const measure = defineTool({
  name: "measure",
  description: "Measures a text.",
  input: object({ text: string("The text to measure") }),
  output: object({ characters: integer(), words: integer() }),
  risk: "low",
  effects: "none",
  run: ({ text }) => ({ characters: text.length, words: text.split(" ").length }),
});
const parse = defineTool({
  name: "parse",
  description: "Parses a version.",
  input: z.object({ version: z.string().regex(/^\d+\.\d+$/) }),
  output: z.object({ major: z.number(), minor: z.number() }),
  risk: "low",
  effects: "none",
  run: async ({ version }) => {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return { major, minor };
  },
});
const engine = createEngine({ tools: [measure, parse] });
const stop = engine.on(({ callId, result }) => console.log(callId, result.ok), ["call.answered"]);

// The call goes through the whole pipeline, like one of a model.
const measured = await engine.call(measure, { text: "to be or not" });
assert.ok(measured.ok);
const words: number = measured.data.words;
assert.equal(words, 4);

const parsed = await engine.call(parse, { version: "24.1" }, { id: "call-1" });
assert.ok(parsed.ok && parsed.data.major === 24 && parsed.callId === "call-1");

// The details of an error are typed by its code.
const refused = await engine.call(parse, { version: "latest" });
assert.ok(!refused.ok);
const [problem] = detailsOf(refused.error, "INVALID_INPUT")?.problems ?? [];
assert.equal(problem?.path, "/version");
assert.equal(detailsOf(refused.error, "DENIED"), undefined);

stop();
await engine.close();
