// Typical mistakes at the command line: each is answered with a message that says what to do, and its own exit code.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WIRES } from "../support/models/provider-streams.ts";
import { serveProvider } from "../support/servers/provider-server.ts";
import { MISTAKES, type Mistake } from "./support/mistakes.ts";
import { NEWCOMERS } from "./support/newcomers.ts";
import { SETUP_MISTAKES } from "./support/setup-mistakes.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

const ALL = [...MISTAKES, ...SETUP_MISTAKES];

/** A hint below the message, or in it what was expected, what was meant, or a command. */
const NEXT_STEP =
  /\n {2}\S|expected |did you mean|needs a value: --|alone$|(?:: |see )toolwright \w|; create it|missing [a-z ]+: (?:--|toolwright)|can run anything/m;

for (const mistake of ALL) {
  const { what, args, says, prints, code = 2, environment = {} } = mistake;
  test(`${what}: ${args.join(" ")} says what to do`, async (t) => {
    const place = createPlace(t);
    place.write("s.jsonl", '{"text": "ok"}\n');
    writeSettings(place, mistake);
    const done = await runCli(place, args, { environment });
    if (prints !== undefined) assert.match(done.stdout, prints);
    if (says !== undefined) {
      assert.match(done.stderr, says);
      assert.match(done.stderr, NEXT_STEP);
    }
    assert.doesNotMatch(done.stderr, /internal error|\n\s+at /);
    // The message with its problems or its hint, and at most one warning; a task also says what it spent and how it is resumed.
    const lines = done.stderr
      .trim()
      .split("\n")
      .filter((line) => !/^(?:\d+ turn|session |toolwright chat --resume)/.test(line));
    assert.ok(lines.length <= 4, done.stderr);
    assert.equal(done.code, code, done.stderr);
  });
}

test("each of the 82 mistakes of a newcomer is a row of these tables, or has a test", () => {
  const rows = new Set(ALL.map(({ what }) => what));
  const entries = Object.entries(NEWCOMERS);
  assert.equal(entries.length, 82);
  for (const [mistake, where] of entries) {
    const [, file, name = ""] = /^(\S+\.test\.ts): (.*)$/.exec(where) ?? [];
    const isTried = file === undefined ? rows.has(where) : readFileSync(file, "utf8").includes(name);
    assert.ok(isTried, `${mistake}: there is no "${where}"`);
  }
});

test("a wrong key is named by its variable, masked, and the answer says what to check", async (t) => {
  const refusal = { status: 401, body: '{"error": {"message": "Incorrect API key: sk-wrong-key-1234"}}' };
  const server = await serveProvider(t, [refusal]);
  const { code, stderr } = await runCli(createPlace(t), ["run", "x", "-m", "openai/gpt-5"], {
    environment: { OPENAI_API_KEY: "sk-wrong-key-1234", OPENAI_BASE_URL: `${server.url}/v1` },
  });
  assert.equal(code, 1);
  assert.doesNotMatch(stderr, /sk-wrong-key-1234/);
  assert.match(stderr, /\n {2}.*OPENAI_API_KEY/);
});

test("a port in use is named, with what to do", async (t) => {
  const place = createPlace(t);
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const { code, stderr } = await runCli(place, ["mcp", "--http", port]);
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(`${port}.*(?:in use|EADDRINUSE)`, "s"));
  assert.doesNotMatch(stderr, /internal error/);
});

function writeSettings({ home }: Place, { config, policy }: Mistake): void {
  mkdirSync(home, { recursive: true });
  if (config !== undefined) writeFileSync(join(home, "config.json"), config);
  if (policy !== undefined) writeFileSync(join(home, "policy.json"), policy);
}

test("text on standard input without a command is not lost in silence", async (t) => {
  const { code, stderr, stdout } = await runCli(createPlace(t), [], { input: "hi\n" });
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /toolwright run takes it as one task, toolwright chat each line as one message/);
  const none = await runCli(createPlace(t), []);
  assert.equal(none.code, 0);
  assert.match(none.stdout, /^Run tools for AI agents/);
});

test("a web page in place of an API is called that, and is not asked again", async (t) => {
  const page = { body: "<html>Welcome</html>", headers: { "content-type": "text/html; charset=utf-8" } };
  const server = await serveProvider(t, [page, page]);
  const { code, stderr } = await runCli(createPlace(t), ["run", "x", "-m", "compatible/x"], {
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.url },
  });
  assert.equal(code, 1);
  assert.equal(server.requests.length, 1);
  assert.match(stderr, /answered with a web page, not with a model's answer\n {2}check the address: .*\/v1/);
});

test("an answer that breaks off is not called an unreachable server", async (t) => {
  const whole = WIRES.compatible.stream({ text: "A long answer that never ends." });
  const half = { body: whole.slice(0, whole.length / 2), then: "drop" } as const;
  const server = await serveProvider(t, [half, half, half, half]);
  const { stderr } = await runCli(createPlace(t), ["run", "x", "-m", "compatible/x"], {
    environment: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` },
  });
  assert.match(stderr, /broke off; send the message again/);
});

test("a command without quotes is answered with the quoted one", async (t) => {
  const place = createPlace(t);
  const call = await runCli(place, ["call", "shell", "rm", "a b", "c"]);
  assert.match(call.stderr, /^ {2}quote the command: toolwright call shell 'rm a b c'$/m);
  const explained = await runCli(place, ["explain", "rm", "a"]);
  assert.match(explained.stderr, /^ {2}quote the command: toolwright explain 'rm a'$/m);
  const misspelt = await runCli(place, ["explain", "read_fil", "path=a"]);
  assert.match(misspelt.stderr, /read_file/);
});
