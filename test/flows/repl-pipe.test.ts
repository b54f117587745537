import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionInfo } from "../../src/agent/sessions/transcript.ts";
import { withoutTmux } from "../support/programs/terminal.ts";
import { runCli, type Finished } from "./support/cli.ts";
import { createReplPlace, openRepl, type ReplPlace } from "./support/repl.ts";

function chat(place: ReplPlace, input: string, ...flags: readonly string[]): Promise<Finished> {
  return runCli(place, ["chat", "--model", "scripted/story.jsonl", ...flags], { input });
}

test("through a pipe each line is one message and each answer is plain text", async (t) => {
  const place = createReplPlace(t, [
    { text: "One, *plainly*.", when: "first" },
    { text: "Two.\u{1b}[31m", when: "second" },
  ]);
  const { code, stdout, stderr } = await chat(place, "the first\n\nthe second");
  assert.deepEqual([code, stdout], [0, "One, *plainly*.\nTwo.\n"]);
  assert.match(
    stderr,
    /^2 turns, \S+ tokens\ntoolwright chat --resume chat-\w+ continues this conversation\n$/,
  );
});

test("through a pipe a call that needs approval is denied, and the model gets the reason", async (t) => {
  const calls = [{ name: "shell", input: { command: "touch made.txt" } }];
  const place = createReplPlace(t, [{ calls }, { text: "Then not.", when: "there is no terminal" }]);
  const { code, stdout, stderr } = await chat(place, "go\n");
  assert.deepEqual([code, stdout], [0, "Then not.\n"]);
  assert.match(stderr, /^✗ shell .*DENIED/m);
  assert.ok(!stderr.includes("\u{1b}"), stderr);
  assert.ok(!existsSync(join(place.folder, "made.txt")));
});

test("through a pipe slash commands work, and /exit ignores the lines after it", async (t) => {
  const place = createReplPlace(t, [{ text: "Never asked." }]);
  const { code, stdout } = await chat(place, "/mode ask\n/nope\n/exit\nhello\n");
  assert.equal(code, 0);
  assert.equal(stdout, "mode ask\nunknown command /nope\n  /help lists them\n");
});

test("a command after ! in a pipe is judged like any other call, since no person typed it", async (t) => {
  const place = createReplPlace(t, [{ text: "Never asked." }]);
  const { code, stdout } = await chat(place, "!touch made.txt\n!echo hello\nexit\nnever\n");
  assert.equal(code, 0);
  assert.match(stdout, /there is no terminal[^]*hello\n$/);
  assert.ok(!existsSync(join(place.folder, "made.txt")));
});

test("through a pipe a failing model sets the exit code, with the reason on standard error", async (t) => {
  const place = createReplPlace(t, [{ error: { code: "UNAVAILABLE", message: "the model is out" } }]);
  const { code, stdout, stderr } = await chat(place, "hello\n");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /toolwright: .*the model is out/);
});

test("chat without a model runs commands, and shows how to set a model", async (t) => {
  const place = createReplPlace(t, []);
  const { code, stdout, stderr } = await runCli(place, ["chat"], { input: "/mode\nhello\n" });
  assert.equal(code, 2);
  assert.match(stdout, /^\* mode auto /m);
  assert.match(stderr, /no model is set\n.*\/model lists what can be used/);
});

test("a chat without messages is not stored, and --continue resumes the one before it", async (t) => {
  const place = createReplPlace(t, [{ text: "Good day." }]);
  const nothing = await runCli(place, ["chat", "--continue"], { input: "" });
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /no conversation is stored for this folder\n.*leave out --continue/);
  await chat(place, "hello\n");
  await chat(place, "");
  await chat(place, "/mode\n");
  const again = await chat(place, "again\n", "--continue");
  assert.equal(again.code, 0, again.stderr);
  const { stdout } = await runCli(place, ["sessions", "--json"]);
  const sessions = JSON.parse(stdout) as readonly SessionInfo[];
  assert.deepEqual(
    sessions.map(({ title, turns }) => [title, turns]),
    [
      ["hello", 2],
      ["", 0],
    ],
  );
});

test("chat refuses --continue with --resume", async (t) => {
  const place = createReplPlace(t, []);
  const both = await runCli(place, ["chat", "--continue", "--resume", "x"]);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--continue and --resume cannot be used together/);
});

test(
  "on a terminal that only shows lines there is a prompt, the next line answers a question, and ! @ exit work",
  { skip: withoutTmux },
  async (t) => {
    const calls = [{ name: "shell", input: { command: "touch made.txt" } }];
    const place = createReplPlace(t, [{ calls }, { text: "Done." }, { text: "Read.", when: "buy milk" }]);
    place.write("my note.txt", "buy milk\n");
    const terminal = await openRepl(t, place, { environment: { TERM: "dumb" } });
    await terminal.waitFor(/^>/m);
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("tells why not");
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.waitFor("Done.");
    assert.ok(existsSync(join(place.folder, "made.txt")));
    await terminal.type("!touch typed.txt && echo $((6 * 7))");
    await terminal.press("Enter");
    await terminal.waitFor(/^42$/m);
    assert.ok(existsSync(join(place.folder, "typed.txt")));
    await terminal.type('what does @"my note.txt" say?');
    await terminal.press("Enter");
    await terminal.waitFor("Read.");
    assert.ok(!(await terminal.colours()).includes("\u{1b}"));
    await terminal.type("exit");
    await terminal.press("Enter");
    await terminal.waitFor("exit 0");
  },
);
