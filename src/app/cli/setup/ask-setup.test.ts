import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS } from "../../gateway/install/clients.ts";
import { askSetup, type Setup, type SetupQuestions } from "./ask-setup.ts";

const FOUND = [
  { id: "anthropic/claude", provider: "anthropic", where: "ANTHROPIC_API_KEY" },
  { id: "ollama/qwen3", provider: "ollama", where: "http://localhost:11434" },
];

/** Answers the questions in turn; leaves when there is no answer left. */
async function answer(answers: readonly string[], given: Partial<SetupQuestions> = {}) {
  const [left, shown]: [string[], string[]] = [[...answers], []];
  const setup = await askSetup({
    ask: (question) => {
      shown.push(question);
      return Promise.resolve(left.shift());
    },
    models: FOUND,
    mode: "auto",
    items: [],
    clients: ["codex", "zed"],
    ...given,
  });
  return { setup, shown };
}

const NOTHING: Setup = { model: undefined, mode: undefined, isProject: false, client: undefined };

const CASES: readonly (readonly [string, readonly string[], Partial<Setup>, Partial<SetupQuestions>?])[] = [
  ["Enter takes the first model and leaves the rest", ["", "", "", ""], { model: "anthropic/claude" }],
  [
    "answers are taken as typed",
    ["2", "edits", "y", "zed"],
    { model: "ollama/qwen3", mode: "edits", isProject: true, client: "zed" },
  ],
  ["another model and none", ["openai/gpt-5", "auto", "no", "none"], { model: "openai/gpt-5" }],
  ["no model", ["none", "", "", ""], {}],
  ["Enter is no model if none was found", ["", "", "", ""], {}, { models: [] }],
  [
    "a wrong answer is asked again",
    ["7", "gpt", "1", "edit", "edits", "maybe", "y", "vim", "codex"],
    { model: "anthropic/claude", mode: "edits", isProject: true, client: "codex" },
  ],
];

for (const [what, answers, expected, given] of CASES)
  test(what, async () => {
    assert.deepEqual((await answer(answers, given)).setup, { ...NOTHING, ...expected });
  });

test("the user leaves at any question", async () => {
  for (const answers of [[], ["1"], ["1", ""], ["1", "", "y"], ["bad"]])
    assert.equal((await answer(answers)).setup, undefined);
});

test("the questions show where models were found, what the folder has, and hide control characters", async () => {
  const models = [{ id: "ollama/a\u{1b}[2J", provider: "ollama", where: "http://x" }];
  const { shown } = await answer(["", "", "", ""], { models, items: ["tool:word_count", "rule:\u{7}x"] });
  const all = shown.join("");
  assert.match(all, /1 {2}ollama\/a\\u\{1b\}\[2J {2}http:\/\/x/);
  assert.match(all, /It has tool:word_count, rule:\\u\{7\}x; yes trusts them as they are now/);
  assert.match(all, /a number \(Enter: 1\)/);
});

test("every row of the questions fits 80 columns", async () => {
  const { shown } = await answer(["", "", "", ""], { models: [], clients: Object.keys(CLIENTS) });
  assert.equal(shown.length, 4);
  for (const row of shown.join("\n").split("\n")) assert.ok(row.length <= 80, row);
});
