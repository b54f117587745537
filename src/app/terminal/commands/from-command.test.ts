import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import type { Arguments } from "../input/command.ts";
import { trace } from "./trace.ts";
import { fromCommand, splitWords } from "./slash-command.ts";

for (const [text, words] of [
  ["", []],
  [" a  b ", ["a", "b"]],
  ["--reason 'not on main' x", ["--reason", "not on main", "x"]],
  ['--input={"a": 1}', ["--input={a:", "1}"]],
  [`--input '{"a": 1}'`, ["--input", '{"a": 1}']],
] as const) {
  test(`${JSON.stringify(text)} has the words ${JSON.stringify(words)}`, () =>
    assert.deepEqual(splitWords(text), words));
}

test("a quote that is not closed is an error", () => {
  assert.throws(() => splitWords("a 'b c"), /unclosed quote/);
});

test("a command of the command line gets the same words in the REPL, but for where things are kept", async (t) => {
  const heard: Arguments[] = [];
  const slash = fromCommand(trace, async (given, { output }) => {
    heard.push(given);
    await output.print("shown\n");
    output.log("told");
    return 0;
  });
  const shown: string[] = [];
  const world = { engine: engineOf(t), print: (text: string) => void shown.push(text) };
  await slash.run("c1 --limit 3", world);
  assert.deepEqual([heard[0]?.positionals, heard[0]?.flags], [["c1"], { limit: "3" }]);
  assert.deepEqual(shown, ["shown\n", "told\n"]);
  await assert.rejects(slash.run("--store x", world), /unknown flag --store/);
  const choices = (await slash.complete?.("", world)) ?? [];
  const limit = choices.find((one) => typeof one !== "string" && one.value === "--limit");
  assert.deepEqual(limit, { value: "--limit", description: "", continues: true }, "its value follows");
});
