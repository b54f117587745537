// The parts of a loop for models that write their calls as text: the prompt, the calls in an answer, the results.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string } from "toolwright";
import {
  createTextReader,
  renderCall,
  renderCalls,
  renderPrompt,
  renderResults,
  type Piece,
} from "toolwright/models";

const look = defineTool({
  name: "look",
  description: "Looks at a thing.",
  input: object({ at: string("The thing") }),
  risk: "low",
  run: ({ at }) => `${at} is blue`,
});
const engine = createEngine({ tools: [look] });
const tools = engine.list();
console.log(renderPrompt("hermes", tools));

const call = { name: "look", input: { at: "the sky" } };
assert.equal(renderCall("hermes", call), renderCalls("hermes", [call]));
const answer = `Let me see.\n${renderCall("hermes", call)}`;
// The answer may be cut anywhere: a piece is only returned when it is certain.
const reader = createTextReader({ dialect: "auto", tools });
const pieces: Piece[] = answer.split("").flatMap((character) => reader.push(character));
pieces.push(...reader.end());
const calls = pieces.flatMap((piece) => (piece.kind === "call" ? [piece.call] : []));
assert.deepEqual(
  calls.map(({ name, input }) => ({ name, input })),
  [call],
);

const results = await engine.runAll(calls.map(({ name, input }, index) => ({ id: `${index}`, name, input })));
assert.match(renderResults("hermes", results), /the sky is blue/);
await engine.close();
