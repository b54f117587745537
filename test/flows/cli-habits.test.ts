// What people type out of habit: bare values, tasks without a command, piped input, settings by command.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../support/running.ts";
import { startWebServer } from "../support/servers/web-server.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

const MODEL = ["--model", "scripted/script.jsonl"];

function placeWith(t: TestContext, ...answers: readonly object[]): Place {
  const place = createPlace(t);
  place.write("script.jsonl", answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""));
  return place;
}

test("the value of the only required parameter needs no name", async (t) => {
  const place = createPlace(t);
  place.write("a=b.txt", "hello\n");
  place.write("c.txt", "there\n");
  assert.match((await runCli(place, ["call", "read_file", "c.txt"])).stdout, /there/);
  assert.match((await runCli(place, ["call", "read_file", "./a=b.txt"])).stdout, /hello/);
  assert.match((await runCli(place, ["call", "shell", "echo x=1"])).stdout, /x=1/);
  const both = await runCli(place, ["call", "grep", "the", "include=*.txt"]);
  assert.match(both.stdout, /c\.txt/);
});

test("explain takes a command as one argument", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runCli(place, ["explain", "rm -rf build"]);
  assert.equal(code, 0);
  assert.match(stdout, /^ask: /);
  assert.match(stdout, /command rm -rf build/);
  assert.match(
    (await runCli(place, ["explain", "npm test"])).stdout,
    /1 would save: always allow `npm test` in .*files of the project decide/,
  );
});

for (const [what, args] of [
  ["a task alone", ["Say hello."]],
  ["-p", ["-p", "Say hello."]],
  ["--model first", [...MODEL, "Say hello."]],
] as const) {
  test(`without a command, ${what} runs the task and prints the answer`, async (t) => {
    const place = placeWith(t, { text: "Hello.", when: "Say hello" });
    const { code, stdout, stderr } = await runCli(place, [
      ...args,
      ...(what === "--model first" ? [] : MODEL),
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "Hello.\n");
  });
}

test("-c continues the last session of the folder, -r a named one", async (t) => {
  const place = placeWith(t, { text: "Noted." });
  const first = await runCli(place, ["run", "My colour is blue.", ...MODEL]);
  const id = /run-\w+/.exec(first.stderr)?.[0] ?? "";
  place.write("script.jsonl", '{"text": "Blue.", "when": "Which"}\n');
  const second = await runCli(place, ["-c", "Which colour?", ...MODEL]);
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stderr, new RegExp(id));
  const shown = await runCli(place, ["sessions", "show", id]);
  assert.match(shown.stdout, /blue[\s\S]*Which colour/);
  const third = await runCli(place, ["-r", id, "Which one?", ...MODEL]);
  assert.equal(third.code, 0, third.stderr);
  assert.match(third.stderr, new RegExp(id));
});

test("what is piped is added to the task, and is the task if there is no other", async (t) => {
  const place = placeWith(t, { text: "Fine.", when: "+added" });
  const reviewed = await runCli(place, ["run", "Review", ...MODEL], { input: "+added\n" });
  assert.equal(reviewed.stdout, "Fine.\n", reviewed.stderr);
  const id = /run-\w+/.exec(reviewed.stderr)?.[0] ?? "";
  assert.match(
    (await runCli(place, ["sessions", "export", id])).stdout,
    /Review\\n\\nStandard input:\\n\\n\+added/,
  );
  place.write("script.jsonl", '{"text": "Hi."}\n');
  const piped = await runCli(place, ["-p", ...MODEL], { input: "Say hi.\n" });
  assert.equal(piped.stdout, "Hi.\n", piped.stderr);
});

test("config set writes a setting that counts from the next call, keeps comments, and unset removes it", async (t) => {
  const place = createPlace(t);
  const file = join(place.home, "config.json");
  writeFileSync(file, '{\n  // mine\n  "keepDays": 7\n}\n');
  assert.equal((await runCli(place, ["call", "write_file", "path=a", "content=1"])).code, 3);
  assert.equal((await runCli(place, ["config", "set", "mode", "edits"])).code, 0);
  assert.equal((await runCli(place, ["call", "write_file", "path=a", "content=1"])).code, 0);
  assert.equal((await runCli(place, ["call", "delete_file", "path=a"])).code, 3);
  assert.equal((await runCli(place, ["config", "get", "mode"])).stdout, "edits\n");
  assert.match(readFileSync(file, "utf8"), /\/\/ mine\n {2}"keepDays": 7/);
  assert.equal((await runCli(place, ["config", "set", "budget.turns", "50"])).code, 0);
  assert.equal((await runCli(place, ["config", "get", "budget.turns"])).stdout, "50\n");
  const wrong = await runCli(place, ["config", "set", "budget.turns", "many"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /: budget\.turns: expected integer, got string "many"\n/);
  assert.equal((await runCli(place, ["config", "unset", "mode"])).code, 0);
  assert.equal((await runCli(place, ["config", "get", "mode"])).stdout, "auto\n");
  assert.match((await runCli(place, ["config"])).stdout, /^keepDays +\S*config\.json +7$/m);
});

test("config set --project warns that it only tightens", async (t) => {
  const place = createPlace(t);
  const { code, stderr } = await runCli(place, ["config", "set", "mode", "yolo", "--project"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /can only tighten/);
  assert.equal((await runCli(place, ["config", "get", "mode"])).stdout, "auto\n");
});

test("help is grouped and no line is wider than 80 columns", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["--help"]);
  assert.match(stdout, /Call tools:\n {2}tools +.*[\s\S]*Decide what may run:\n {2}policy /);
  for (const name of ["--help", "help call", "help policy", "help run", "help mcp"]) {
    const { stdout: page } = await runCli(place, name.split(" "));
    const examples = page.indexOf("Examples:");
    const wide = page
      .slice(0, examples < 0 ? undefined : examples)
      .split("\n")
      .filter((line) => line.length > 80);
    assert.deepEqual(wide, [], name);
  }
});

test("values are completed: sessions, settings, clients, profiles, models", async (t) => {
  const place = placeWith(t, { text: "Noted." });
  const first = await runCli(place, ["run", "Hi.", ...MODEL]);
  const id = /run-\w+/.exec(first.stderr)?.[0] ?? "";
  writeFileSync(join(place.home, "config.json"), '{"model": "openai/gpt-5", "profiles": {"work": {}}}');
  const complete = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await runCli(place, ["completion", "--words", "--", ...words])).stdout.trim().split("\n");
  assert.deepEqual(await complete("sessions", "show", "run-"), [id]);
  assert.deepEqual(await complete("run", "--resume", ""), [id]);
  assert.deepEqual(await complete("config", "get", "mod"), ["mode", "model", "models"]);
  assert.deepEqual(await complete("call", "--profile", "w"), ["work"]);
  assert.deepEqual(await complete("run", "--model", "open"), ["openai/gpt-5"]);
  const { origin } = await startWebServer(t, (_, response) =>
    response.end('{"models": [{"name": "qwen3:8b"}]}'),
  );
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ models: { ollama: { baseUrl: origin } } }));
  // A machine under load may take longer than completion waits for a list.
  await untilTrue("the model of the server is offered", async () =>
    (await complete("run", "--model", "ollama/")).includes("ollama/qwen3:8b"),
  );
  assert.ok((await complete("mcp", "install", "c")).includes("claude-code"));
});
