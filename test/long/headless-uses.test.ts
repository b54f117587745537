// The 31 uses without a person at the terminal, as a table: npm run test:long -- test/long/headless-uses.test.ts
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openTerminal, withoutTmux } from "../support/programs/terminal.ts";
import {
  createPlace,
  LAUNCHER,
  runCli,
  runProcess,
  startCli,
  until,
  type Place,
} from "../flows/support/cli.ts";
import { createReplPlace } from "../flows/support/repl.ts";
import { createHabits, shell } from "./support/habits.ts";

const COUNT = 31;
const MODEL = ["--model", "scripted/story.jsonl"];
const HELLO = { text: "Hello.", repeat: true };
const EDIT = { calls: [{ name: "write_file", input: { path: "new.txt", content: "x\n" } }] };
const RED =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

test("all uses without a person hold", { skip: withoutTmux }, async (t) => {
  const uses = createHabits();
  for (const part of [tasks, limits, files, others]) await part(t, uses.try);
  console.log(uses.table());
  assert.deepEqual(uses.failed(), []);
  assert.equal(uses.count(), COUNT);
});

type Use = (name: string, steps: () => Promise<unknown>) => Promise<void>;

function placeWith(t: TestContext, ...script: readonly object[]): Place {
  const place = createPlace(t);
  place.write("story.jsonl", script.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return place;
}

async function expectOutput(
  t: TestContext,
  args: readonly string[],
  {
    input = "",
    script = [HELLO],
    output = "Hello.\n",
  }: { input?: string; script?: readonly object[]; output?: string } = {},
): Promise<void> {
  const { code, stdout, stderr } = await runCli(placeWith(t, ...script), args, { input });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, output);
}

async function tasks(t: TestContext, use: Use): Promise<void> {
  await use("run TASK", () => expectOutput(t, ["run", "hi", ...MODEL]));
  await use("TASK alone", () => expectOutput(t, ["Say hi.", ...MODEL]));
  await use("-p", () => expectOutput(t, ["-p", "Say hi.", ...MODEL]));
  const reads = [{ text: "Hello.", when: "from the pipe" }];
  await use("standard input alone to run", () =>
    expectOutput(t, ["run", ...MODEL], { input: "from the pipe\n", script: reads }),
  );
  await use("standard input alone to -p", () =>
    expectOutput(t, ["-p", ...MODEL], { input: "from the pipe\n", script: reads }),
  );
  await use("standard input added to the task", () =>
    expectOutput(t, ["run", "sum up", ...MODEL], { input: "from the pipe\n", script: reads }),
  );
  await use("--json with jq", async () => {
    const { stdout } = await runCli(placeWith(t, HELLO), ["run", "hi", "--json", ...MODEL]);
    const jq = spawnSync("jq", ["-r", 'select(.type == "outcome") | .text'], {
      input: stdout,
      encoding: "utf8",
    });
    assert.equal(jq.error === undefined ? jq.stdout : "Hello.\n", "Hello.\n");
  });
  await use("the last line of --json is the outcome", async () => {
    const { stdout } = await runCli(placeWith(t, HELLO), ["run", "hi", "--json", ...MODEL]);
    assert.match(stdout.trim().split("\n").at(-1) ?? "", /^\{"type":"outcome"/);
  });
  for (const flags of [["-y"], ["--mode", "edits"]])
    await use(flags.join(" "), async () => {
      const place = placeWith(t, EDIT, HELLO);
      await runCli(place, ["run", "hi", ...flags, ...MODEL]);
      assert.ok(existsSync(join(place.folder, "new.txt")));
    });
  await use("-q prints only the answer", async () => {
    const { stderr, stdout } = await runCli(placeWith(t, EDIT, HELLO), ["run", "hi", "-y", "-q", ...MODEL]);
    assert.deepEqual([stdout, stderr], ["Hello.\n", ""]);
  });
  await use("chat from a pipe", () => expectOutput(t, ["chat", ...MODEL], { input: "hi\n" }));
}

async function limits(t: TestContext, use: Use): Promise<void> {
  const expectCode = async (expected: number, args: readonly string[], ...script: readonly object[]) => {
    const done = await runCli(placeWith(t, ...script), ["run", "hi", ...args, ...MODEL]);
    assert.equal(done.code, expected, done.stderr);
    return done;
  };
  await use("--max-turns ends with 1", () => expectCode(1, ["--max-turns", "1", "-y"], EDIT, HELLO));
  await use("--max-seconds ends with 4", () =>
    expectCode(4, ["--max-seconds", "0.5"], { text: "late", delayMs: 30_000 }),
  );
  await use("--output-schema that is no schema is refused", async () => {
    const { stderr } = await expectCode(2, ["--output-schema", "nope.json"], HELLO);
    assert.match(stderr, /nope\.json/);
  });
  await use("a failing provider ends with 1", async () => {
    await expectCode(1, [], { error: { code: "MODEL_FAILED", message: "500" } });
    await expectCode(1, [], { error: { code: "UNAUTHORIZED", message: "401" } });
  });
  await use("--resume by a prefix, from another folder", async () => {
    const place = placeWith(t, HELLO);
    const first = await runCli(place, ["run", "one", ...MODEL]);
    const id = /run-\w{4}/.exec(first.stderr)?.[0] ?? "";
    const other = { ...placeWith(t, HELLO), home: place.home };
    const again = await runCli(other, ["run", "two", "--resume", id, ...MODEL]);
    assert.equal(again.code, 0, again.stderr);
  });
  await use("Ctrl-C in a stream ends with 130", async () => {
    const running = startCli(placeWith(t, { text: "late", delayMs: 60_000 }), [
      "run",
      "hi",
      "--json",
      ...MODEL,
    ]);
    await until("the request", () => running.shown.stdout.includes("turn.started"));
    running.child.kill("SIGINT");
    assert.equal((await running.finished).code, 130);
  });
  await use("Ctrl-C at a question ends with 130", async () => {
    const place = createReplPlace(t, [{ calls: [shell("touch x")] }, HELLO]);
    const run = [process.execPath, LAUNCHER, "run", "hi", ...MODEL];
    const terminal = await openTerminal(t, {
      cwd: place.folder,
      environment: place.environment,
      command: ["sh", "-c", '"$@"; echo "exit $?"; cat', "sh", ...run],
    });
    await terminal.waitFor(/\[n\]/);
    await terminal.press("C-c");
    await terminal.waitFor("exit 130");
  });
  await use("denials have a hint and an exit code", async () => {
    const { stderr } = await expectCode(3, ["--fail-on-denied"], EDIT, HELLO);
    assert.match(stderr, /1 call was denied[^]*to allow it, add: --/);
  });
  await use("denials are in the outcome", async () => {
    const { stdout } = await expectCode(0, ["--json"], EDIT, HELLO);
    assert.match(stdout.trim().split("\n").at(-1) ?? "", /"denied":\[\{"callId"/);
  });
  await use("the line of a failed test tells why", async () => {
    const place = placeWith(t, { calls: [shell("node --test")] }, HELLO);
    place.write("a.test.cjs", 'require("node:test")("adds", () => require("node:assert").equal(1, 2));\n');
    const { stderr } = await runCli(place, ["run", "hi", "-y", ...MODEL]);
    assert.match(stderr, /exit code 1: .*(?:AssertionError|1 == 2)/);
  });
}

async function files(t: TestContext, use: Use): Promise<void> {
  await use("one JSON object", async () => {
    const { stdout } = await runCli(placeWith(t, HELLO), ["run", "hi", "--output-format", "json", ...MODEL]);
    assert.equal((JSON.parse(stdout) as { readonly text: string }).text, "Hello.");
  });
  await use("--output-format stream-json", async () => {
    const { stdout } = await runCli(placeWith(t, HELLO), [
      "run",
      "hi",
      "--output-format",
      "stream-json",
      ...MODEL,
    ]);
    for (const line of stdout.trim().split("\n"))
      assert.match(line, /"at":\d+.*"session":"|"session":".*"at":\d+/);
  });
  await use("@file and an image in run", async () => {
    const place = placeWith(t, { text: "Hello.", when: "text of a" });
    place.write("a.txt", "text of a\n");
    writeFileSync(join(place.folder, "red.png"), Buffer.from(RED, "base64"));
    const { code, stderr } = await runCli(place, ["run", "see @a.txt", "--image", "red.png", ...MODEL]);
    assert.equal(code, 0, stderr);
  });
  await use("--add-dir", async () => {
    const other = createPlace(t);
    other.write("far.txt", "far\n");
    const read = { calls: [{ name: "read_file", input: { path: join(other.folder, "far.txt") } }] };
    await expectOutput(t, ["run", "hi", "--add-dir", other.folder, ...MODEL], {
      script: [read, { ...HELLO, when: "far" }],
    });
  });
  await use("--allowed-tools is answered with --allow, which works", async () => {
    const place = placeWith(t, EDIT, HELLO);
    const peers = await runCli(place, ["run", "hi", "--allowed-tools", "write_file", ...MODEL]);
    assert.match(peers.stderr, /--allow/);
    await runCli(place, ["run", "hi", "--allow", "write_file", ...MODEL]);
    assert.ok(existsSync(join(place.folder, "new.txt")));
  });
  await use("-C", async () => {
    const place = placeWith(t, EDIT, HELLO);
    mkdirSync(join(place.folder, "sub"));
    const story = join(place.folder, "story.jsonl");
    await runCli(place, ["run", "hi", "-C", "sub", "-y", "--model", `scripted/${story}`]);
    assert.ok(existsSync(join(place.folder, "sub/new.txt")));
  });
}

async function others(t: TestContext, use: Use): Promise<void> {
  await use("--append-system-prompt", () =>
    expectOutput(t, ["run", "hi", "--append-system-prompt", "Answer in verse.", ...MODEL]),
  );
  await use("the REPL with a first message", async () => {
    const place = createReplPlace(t, [HELLO]);
    const terminal = await openTerminal(t, {
      cwd: place.folder,
      environment: place.environment,
      command: [process.execPath, LAUNCHER, "-i", "Say hi.", ...MODEL],
    });
    await terminal.waitFor(/> Say hi\.\n\nHello\./);
    await terminal.waitFor("ready");
  });
  await use("run finds a key", async () => {
    const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1" };
    const { stderr } = await runProcess(placeWith(t, HELLO), ["run", "hi", "--max-seconds", "1"], {
      environment,
    });
    assert.match(stderr, /no model is set, using anthropic\//);
  });
}
