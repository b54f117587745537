// A tool of one's own in a minute: a script of six lines, a command without code, and what a change of a file says.
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, type Place } from "./support/cli.ts";
import { withoutProgram } from "./support/tools.ts";

const COUNT = {
  description: "Counts the words of a file.",
  command: ["wc", "-w", "{path}"],
  parameters: { path: { type: "string", required: true } },
};

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

async function count(place: Place, path: string, ...flags: readonly string[]) {
  return runCli(place, ["call", "word_count", path, ...flags]);
}

test("a .json in the tools folder is a tool that runs its command without a shell", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one two three\n");
  write(join(place.home, "tools", "count.json"), JSON.stringify({ name: "word_count", ...COUNT }));
  assert.equal((await count(place, "a.txt")).code, 3, "it needs approval like every program");
  const counted = await count(place, "a.txt", "--yes");
  assert.equal(counted.stdout.trim(), "3 a.txt", counted.stderr);
  const injected = await count(place, "a.txt; touch made", "--yes");
  assert.equal(injected.code, 1);
  assert.match(injected.stderr, /exit code 1: .*No such file/);
  assert.equal((await count(place, "--files0-from=a.txt", "--yes")).code, 2);
});

test("commandTools in the config declares the same, and a fault in it is a problem that is listed", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one two\n");
  const commandTools = {
    word_count: COUNT,
    broken: { command: ["sh", "-c", "echo {x}"], parameters: { x: {} } },
  };
  write(join(place.home, "config.json"), JSON.stringify({ commandTools }));
  assert.equal((await count(place, "a.txt", "--yes")).stdout.trim(), "2 a.txt");
  const { stdout } = await runCli(place, ["tools", "--problems"]);
  assert.match(stdout, /broken[\s\S]*would run as code/);
});

test("a project's declaration is off until it is trusted", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "one\n");
  write(
    join(place.folder, ".toolwright", "tools", "count.json"),
    JSON.stringify({ name: "word_count", ...COUNT }),
  );
  assert.equal((await count(place, "a.txt", "--yes")).code, 2);
  assert.equal((await runCli(place, ["trust", "tool:count.json"])).code, 0);
  assert.equal((await count(place, "a.txt", "--yes")).stdout.trim(), "1 a.txt");
});

test(
  "what tool new wrote is trusted; a change says so and shows the difference",
  { skip: withoutProgram("jq") },
  async (t) => {
    const place = createPlace(t);
    const made = await runCli(place, ["tool", "new", "greet", "--lang", "sh"]);
    assert.equal(made.code, 0, made.stderr);
    assert.doesNotMatch(made.stdout, / trust\n/);
    const called = await runCli(place, ["call", "greet", "name=World", "--yes"]);
    assert.equal(called.code, 0, called.stderr);
    const file = join(place.folder, ".toolwright", "tools", "greet.sh");
    appendFileSync(file, "# another line\n");
    const refused = await runCli(place, ["call", "greet", "name=World", "--yes"]);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /greet\.sh: it changed since you trusted it; toolwright trust shows the difference/,
    );
    assert.match((await runCli(place, ["tools", "--problems"])).stdout, /it changed since you trusted it/);
    const { stdout } = await runCli(place, ["trust"]);
    assert.match(stdout, /tool:greet\.sh changed since you trusted it:[\s\S]*^\+# another line$/m);
    assert.equal((await runCli(place, ["trust", "tool:greet.sh"])).code, 0);
    assert.equal((await runCli(place, ["call", "greet", "name=World", "--yes"])).code, 0);
  },
);

test(
  "the six-line tool at the top of the page works as it is written",
  { skip: withoutProgram("jq") },
  async (t) => {
    const place = createPlace(t);
    const page = readFileSync("docs/external-tools.md", "utf8");
    const script = /```sh word_count\.sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    assert.equal(script.trim().split("\n").length, 6);
    write(join(place.home, "tools", "word_count.sh"), script, 0o755);
    const { code, stdout, stderr } = await runCli(place, ["call", "word_count", "one two three", "--yes"]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), "3");
    const file = join(place.home, "tools", "word_count.sh");
    const checked = await runCli(place, ["tool", "check", file, "--args", '{"text": "one"}']);
    assert.equal(checked.code, 0, checked.stdout);
    const declared = /```json file_words\.json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    assert.deepEqual(Object.keys(JSON.parse(declared) as object), [
      "name",
      "description",
      "command",
      "parameters",
    ]);
  },
);
