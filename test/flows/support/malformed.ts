import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { integer, list, object, optional, string } from "../../../src/schema/define/schema.ts";
import { oddMessages } from "../../support/generators/odd-messages.ts";
import { isLong } from "../../support/property-runs.ts";

/** Of each door. */
const COUNT = isLong ? 250 : 20;

/** What a door did with a message: how many answers it gave, and whether it reached the tool or handler. */
export interface Seen {
  readonly answers: number;
  readonly isReached: boolean;
}

let ran = 0;
export const TOOL = defineTool({
  name: "note",
  description: "Notes something.",
  input: object({
    text: string(),
    times: optional(integer()),
    tags: optional(list(string())),
    place: optional(object({ name: string(), zip: optional(string()) })),
  }),
  risk: "low",
  effects: "none",
  run() {
    ran += 1;
    return "noted";
  },
});
export const INPUTS: readonly JsonObject[] = [
  { text: "one" },
  { text: "two", times: 2, tags: ["a", "b"], place: { name: "Oslo", zip: "0150" } },
];

/** Sends the messages one after another, and checks what a door did with each. */
export async function tryDoor(
  t: TestContext,
  messages: readonly JsonObject[],
  send: (text: string, index: number) => Promise<Seen>,
): Promise<void> {
  const texts = oddMessages(messages, COUNT, messages.length * 7 + t.name.length);
  let reached = 0;
  for (const [index, text] of texts.entries()) {
    const { answers, isReached } = await send(text, index);
    assert.equal(answers, 1, `${answers} answers to ${text.slice(0, 500)}`);
    if (isReached) reached += 1;
  }
  const last = await send(JSON.stringify(messages[0]), texts.length);
  assert.deepEqual(last, { answers: 1, isReached: true }, "the door is open afterwards");
  t.diagnostic(`${texts.length} messages, ${reached} reached the tool or handler`);
  assert.ok(reached * 2 >= texts.length, `${reached} of ${texts.length} were reached`);
}

/** Whether the tool runs meanwhile. */
export async function whetherRuns(work: () => Promise<number>): Promise<Seen> {
  const before = ran;
  const answers = await work();
  return { answers, isReached: ran > before };
}
