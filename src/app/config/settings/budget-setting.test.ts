import { test } from "node:test";
import assert from "node:assert/strict";
import { parseSetting } from "../layers.ts";
import { tighterBudget, toBudget } from "./budget-setting.ts";

test("what is known of a model is taken as it was written", () => {
  const written = {
    "anthropic/big": { window: 200_000, price: { input: 3, output: 15, cached: 0.3 } },
    vllm: { baseUrl: "http://127.0.0.1:8000/v1", keyVariable: "VLLM_KEY", dialect: "hermes", temperature: 0 },
  };
  assert.deepEqual(parseSetting("models", written), written);
});

for (const [what, model] of Object.entries({
  "an address that is none": { baseUrl: "file:///etc/passwd" },
  "a key in place of its variable": { keyVariable: "sk-abc def" },
  "a price without its output": { price: { input: 1 } },
  "a window of nothing": { window: 0 },
  "a word that means nothing": { windwo: 1000 },
  "a text": "fast",
})) {
  test(`a model with ${what} is refused`, () => {
    assert.throws(() => parseSetting("models", { "openai/x": model }), /^ToolError: models\["openai\/x"\]/);
  });
}

test("a budget is refused where a limit is nothing, or means nothing", () => {
  assert.deepEqual(parseSetting("budget", { turns: 5, money: 0.5 }), { turns: 5, money: 0.5 });
  for (const wrong of [{ turns: 0 }, { turns: 1.5 }, { money: -1 }, { hours: 1 }, 5])
    assert.throws(() => parseSetting("budget", wrong), /^ToolError: budget/);
});

test("of two budgets the tighter of each limit holds", () => {
  assert.deepEqual(tighterBudget({ turns: 5, calls: 9 }, { turns: 7, money: 1 }), {
    turns: 5,
    calls: 9,
    money: 1,
  });
});

test("seconds become milliseconds", () => {
  assert.deepEqual(toBudget({ seconds: 1.5, turns: 2 }), { timeMs: 1500, turns: 2 });
});
