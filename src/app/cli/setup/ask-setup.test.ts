import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS } from "../../gateway/install/clients.ts";
import { ToolError } from "../../../core/errors.ts";
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
    askHidden: (question) => {
      shown.push(question);
      return Promise.resolve(left.shift());
    },
    print: (text) => void shown.push(text),
    addressOf: () => undefined,
    listModels: () => Promise.reject(new ToolError("UNAVAILABLE", "cannot be reached", { hint: "start it" })),
    tryModel: () => Promise.resolve(7),
    models: FOUND,
    mode: "auto",
    level: undefined,
    currentLevel: undefined,
    width: 80,
    items: [],
    clients: ["codex", "zed"],
    ...given,
  });
  return { setup, shown };
}

const NOTHING: Setup = {
  model: { id: undefined },
  mode: undefined,
  level: undefined,
  isProject: false,
  client: undefined,
};

const CASES: readonly (readonly [string, readonly string[], Partial<Setup>, Partial<SetupQuestions>?])[] = [
  [
    "Enter takes the first model and leaves the rest",
    ["", "", "", ""],
    { model: { id: "anthropic/claude" } },
  ],
  [
    "answers are taken as typed",
    ["2", "edits", "y", "zed"],
    { model: { id: "ollama/qwen3" }, mode: "edits", isProject: true, client: "zed" },
  ],
  ["another model and none", ["openai/gpt-5", "auto", "no", "none"], { model: { id: "openai/gpt-5" } }],
  ["no model", ["none", "", "", ""], {}],
  ["Enter is no model if none was found", ["", "", "", ""], {}, { models: [] }],
  [
    "a wrong answer is asked again",
    ["7", "gpt", "1", "edit", "edits", "maybe", "y", "vim", "codex"],
    { model: { id: "anthropic/claude" }, mode: "edits", isProject: true, client: "codex" },
  ],
];

for (const [what, answers, expected, given] of CASES)
  test(what, async () => {
    assert.deepEqual((await answer(answers, given)).setup, { ...NOTHING, ...expected });
  });

for (const [typed, mode, level] of [
  ["", undefined, "read-only"],
  ["edits", "edits", "read-only"],
  ["auto workspace", undefined, "workspace"],
  ["Edits, ask", "edits", "ask"],
  ["workspace", undefined, "workspace"],
  ["ask", "ask", undefined],
  ["plan workspace", "plan", undefined],
] as const)
  test(`mode and level are one question: ${JSON.stringify(typed)}`, async () => {
    const { setup, shown } = await answer(["none", typed, "", ""], { level: "read-only" });
    assert.deepEqual([setup?.mode, setup?.level], [mode, level]);
    assert.match(shown.join(""), /mode, or mode and level \(Enter: auto read-only\)/);
  });

test("the next question repeats what the answer means", async () => {
  const shownAfter = async (typed: string): Promise<string> =>
    (await answer(["none", typed, "", ""], { level: "read-only" })).shown.join("");
  assert.match(await shownAfter("ask"), /\n? {2}mode ask: every call needs approval\n\n3\. /);
  assert.match(await shownAfter(""), / {2}mode auto, level read-only\n\n3\. /);
});

test("a level that is set is not set again", async () => {
  const { setup } = await answer(["none", "", "", ""], { level: "workspace", currentLevel: "workspace" });
  assert.equal(setup?.level, undefined);
});

test("a level that does not exist is asked again, and so is one where levels have no effect", async () => {
  const wrong = await answer(["none", "auto foo", "auto ask", "", ""], { level: "read-only" });
  assert.equal(wrong.setup?.level, "ask");
  const none = await answer(["none", "auto ask", "auto", "", ""]);
  assert.match(none.shown.join(""), /only a mode/);
});

test("no line of a question is wider than the terminal, and no word is broken", async () => {
  for (const width of [60, 80]) {
    const given = {
      level: "read-only",
      width,
      clients: Object.keys(CLIENTS),
      items: ["tool:a", "tool:b", "rule:c"],
    } as const;
    const { shown } = await answer(["?", "none", "", "", "vim", ""], given);
    const lines = shown.join("\n").split("\n");
    assert.ok(
      lines.every((line) => line.length <= width),
      lines.filter((line) => line.length > width).join("\n"),
    );
    assert.match(lines.join(" "), /file changes in the workspace/);
  }
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

/** Takes only one key, and lists two models with it. */
const takesKey =
  (expected: string | undefined): SetupQuestions["listModels"] =>
  (_, { apiKey }) =>
    apiKey === expected
      ? Promise.resolve(["a", "b"])
      : Promise.reject(new ToolError("UNAUTHORIZED", "refuses the key (401)", { hint: "check it" }));

const CHOSEN: readonly (readonly [string, readonly string[], Setup["model"], Partial<SetupQuestions>?])[] = [
  [
    "a provider asks for its key, again if it is refused, and for one of its models",
    ["anthropic", "wrong", "right", "2"],
    { id: "anthropic/b", key: { provider: "anthropic", value: "right" } },
    { listModels: takesKey("right") },
  ],
  [
    "a server that needs no key is not asked for one",
    ["http://127.0.0.1:9/v1", ""],
    { id: "compatible/a", baseUrl: "http://127.0.0.1:9/v1" },
    { listModels: takesKey(undefined) },
  ],
  [
    "a server that wants a key gets one",
    ["http://127.0.0.1:9/v1", "right", "compatible/c"],
    { id: "compatible/c", baseUrl: "http://127.0.0.1:9/v1", key: { provider: "compatible", value: "right" } },
    { listModels: takesKey("right") },
  ],
  [
    "an address that does not answer leads back to the question",
    ["http://127.0.0.1:9", "2"],
    { id: "ollama/qwen3" },
  ],
  ["no key leads back to the question", ["openai", "", "1"], { id: "anthropic/claude" }],
  [
    "a model that does not answer can be left",
    ["openai", "k", "1", "", "1"],
    { id: "anthropic/claude" },
    { listModels: takesKey("k"), tryModel: () => Promise.reject(new ToolError("MODEL_FAILED", "no")) },
  ],
  [
    "a model that does not answer can be used nevertheless",
    ["openai", "k", "9", "1", "y"],
    { id: "openai/a", key: { provider: "openai", value: "k" } },
    { listModels: takesKey("k"), tryModel: () => Promise.reject(new ToolError("MODEL_FAILED", "no")) },
  ],
];

for (const [what, answers, model, given] of CHOSEN)
  test(what, async () => {
    const { setup, shown } = await answer([...answers, "", "", ""], given);
    assert.deepEqual(setup, { ...NOTHING, model });
    for (const row of shown.join("\n").split("\n")) assert.ok(row.length <= 80, row);
  });

test("the key of a provider is sent to the address that the config has for it, which the question names", async () => {
  const servers: unknown[] = [];
  const { setup, shown } = await answer(["openai", "k", "1", "", "", ""], {
    addressOf: (provider) => (provider === "openai" ? "https://models.example/v1" : undefined),
    listModels: (provider, server) => {
      servers.push([provider, server]);
      return Promise.resolve(["a"]);
    },
    tryModel: (id, server) => {
      servers.push([id, server]);
      return Promise.resolve(7);
    },
  });
  const server = { baseUrl: "https://models.example/v1", apiKey: "k" };
  assert.deepEqual(servers, [
    ["openai", server],
    ["openai/a", server],
  ]);
  assert.match(shown.join(""), /key of openai at https:\/\/models\.example\/v1 \(not shown/);
  const key = { provider: "openai", value: "k" };
  assert.deepEqual(setup?.model, { id: "openai/a", key }, "the address is set already");
});

test("the user leaves at a question about a key, a list and a model that does not answer", async () => {
  const given = {
    listModels: takesKey("k"),
    tryModel: () => Promise.reject(new ToolError("MODEL_FAILED", "no")),
  };
  for (const answers of [["openai"], ["openai", "k"], ["openai", "k", "1"]])
    assert.equal((await answer(answers, given)).setup, undefined);
});

test("every row of the questions fits 80 columns", async () => {
  const { shown } = await answer(["", "", "", ""], { models: [], clients: Object.keys(CLIENTS) });
  assert.equal(shown.length, 4);
  for (const row of shown.join("\n").split("\n")) assert.ok(row.length <= 80, row);
});
