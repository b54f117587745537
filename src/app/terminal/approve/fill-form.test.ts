import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../core/json.ts";
import { fieldsOf } from "../../../sources/mcp/transport/form.ts";
import { fillForm } from "./fill-form.ts";

const FORM: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", title: "Full name", description: "As in\nthe \u001b[31mpassport" },
    age: { type: "integer", minimum: 18, default: 30 },
    news: { type: "boolean" },
    colour: {
      type: "string",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "g", title: "Green" },
      ],
    },
    days: { type: "array", items: { type: "string", enum: ["mo", "tu", "we"] }, default: ["mo"] },
  },
  required: ["name", "colour"],
};

interface Filled {
  readonly input: JsonObject | undefined;
  readonly questions: readonly string[];
  readonly told: string;
}

/** Fills the form in with these lines, and goes away behind the last. */
async function fill(lines: readonly string[], form = FORM): Promise<Filled> {
  const waiting = [...lines];
  const questions: string[] = [];
  let told = "";
  const input = await fillForm(
    fieldsOf(form) ?? [],
    async (question) => {
      questions.push(question);
      return waiting.shift();
    },
    (text) => void (told += text),
  );
  return { input, questions, told };
}

test("fields are asked for one by one, with what they are for and what they may be", async () => {
  const { input, questions, told } = await fill(["Ada", "41", "y", "2", "1, 3"]);
  assert.deepEqual(input, { name: "Ada", age: 41, news: true, colour: "g", days: ["mo", "we"] });
  assert.deepEqual(questions, [
    "  name: ",
    "  age [30]: ",
    "  news (y/n) (optional): ",
    "  colour: ",
    "  days [1]: ",
  ]);
  assert.match(told, /^ {2}Full name: As in the \\u\{1b\}\[31mpassport\n {2}age\n/);
  assert.match(told, /\n {4}1\) Red\n {4}2\) Green\n/);
});

test("an empty line takes the default, and leaves out what is not needed", async () => {
  const { input } = await fill(["Ada", "", " ", "g", ""]);
  assert.deepEqual(input, { name: "Ada", age: 30, colour: "g", days: ["mo"] });
});

test("what does not fit is said and asked for again", async () => {
  const { input, told } = await fill([
    "",
    "Ada",
    "ten",
    "7",
    "1.5",
    "18",
    "maybe",
    "no",
    "3",
    "blue",
    "1",
    "9",
    "2",
  ]);
  assert.deepEqual(input, { name: "Ada", age: 18, news: false, colour: "r", days: ["tu"] });
  assert.deepEqual(told.match(/^ {4}(?:a value|must|choose) .*$/gm), [
    "    a value is required",
    "    must be a number",
    "    must be at least 18",
    "    must be a whole number",
    "    must be yes or no",
    "    must be one of the choices",
    "    must be one of the choices",
    "    must be one of the choices",
  ]);
});

test("a form that is left in the middle is not filled in", async () => {
  for (const lines of [[], ["Ada"], ["Ada", "41", "y", "2"]])
    assert.equal((await fill(lines)).input, undefined);
});

test("an empty text is typed as two quotes", async () => {
  const form = { properties: { note: { type: "string" } }, required: ["note"] };
  assert.deepEqual((await fill(['""'], form)).input, { note: "" });
});
