import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, oldNode, longCommand, processesWith, runCli, until } from "./support/cli.ts";
import { onTerminal, skipTerminal } from "./support/on-terminal.ts";

const QUESTION = "Answer (Enter is n; n REASON tells why not): ";

const ANSWERS = [
  { keys: "y\r", code: 0, ran: true },
  { keys: "maybe\r", code: 3, ran: false },
  { keys: "\u{3}", code: 3, ran: false },
  { keys: "\u{4}", code: 3, ran: false },
] as const;

for (const { keys, code, ran } of ANSWERS) {
  test(
    `on a terminal ${JSON.stringify(keys)} to the question means ${ran ? "yes" : "no"}`,
    { skip: skipTerminal },
    async (t) => {
      const place = createPlace(t);
      const { finished, shown, type } = onTerminal(place, ["call", "shell", "command=touch made"]);
      await until("the question", () => shown.stdout.includes(QUESTION));
      assert.equal(existsSync(join(place.folder, "made")), false, "nothing runs before the answer");
      type(keys);
      assert.equal((await finished).code, code, shown.stdout);
      assert.equal(existsSync(join(place.folder, "made")), ran);
    },
  );
}

test("Ctrl-C at a question of a task stops the task", { skip: skipTerminal }, async (t) => {
  const place = createPlace(t);
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  place.write(
    "story.jsonl",
    [{ calls }, { text: "Went on." }].map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const { finished, shown, type } = onTerminal(place, ["run", "go", "--model", "scripted/story.jsonl"]);
  await until("the question", () => shown.stdout.includes(QUESTION));
  type("\u{3}");
  assert.equal((await finished).code, 130, shown.stdout);
  assert.ok(!shown.stdout.includes("Went on."), shown.stdout);
  assert.equal(existsSync(join(place.folder, "made")), false);
});

test(
  "a task on a terminal streams its answer once, shows what is running, colours failures and ends with totals",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const shell = (command: string): object => ({
      calls: [{ name: "shell", input: { command, timeout_seconds: 600 } }],
    });
    // The command goes on until its last line was drawn.
    const loop =
      "touch started; echo half done; while [ ! -e seen ]; do sleep 0.05; done; echo broke >&2; exit 7";
    const story = [
      { text: "First I look.", ...shell(loop) },
      shell("touch made"),
      { text: "That is\nall of it." },
    ];
    place.write("story.jsonl", story.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { finished, shown, type } = onTerminal(place, ["run", "go", "--model", "scripted/story.jsonl"]);
    await until("the first question", () => shown.stdout.includes(QUESTION));
    assert.match(shown.stdout, /First I look\.\r\n/);
    assert.ok(shown.stdout.indexOf("First I look.") < shown.stdout.indexOf("→ shell"), shown.stdout);
    type("y\r");
    await until("the live output", () => /. shell \d+\.\d s {2}half done/.test(shown.stdout));
    place.write("seen", "");
    await until("the second question", () => shown.stdout.split(QUESTION).length > 2);
    type("n\r");
    assert.equal((await finished).code, 0, shown.stdout);
    const red = "\u{1b}[31m";
    assert.ok(shown.stdout.includes(`${red}✗ shell `), shown.stdout);
    assert.match(shown.stdout, /exit code 7: broke/);
    assert.match(shown.stdout, /✗ shell \d+ ms declined\u{1b}/u);
    assert.equal(shown.stdout.split(`  in ${place.folder}\r\n`).length, 3, "each question names it once");
    // The line of the call is longer than the terminal.
    assert.match(shown.stdout, /→ shell command=[^\r]{1,72}\r\n {2}[^\r]+\r\n/);
    assert.equal(shown.stdout.split("all of it.").length, 2, shown.stdout);
    assert.ok(shown.stdout.includes(`${red}1 call was denied`), shown.stdout);
    assert.match(shown.stdout, /3 turns, 2 calls, \d+ tokens, \d+\.\d s/);
    const trace = onTerminal(place, ["trace"]);
    await trace.finished;
    assert.match(trace.shown.stdout, /\u{1b}\[31m[^\n]*exit code 7 /u);
  },
);

test("text typed before the prompt does not answer it", { skip: skipTerminal }, async (t) => {
  const place = createPlace(t);
  const { finished, shown, type } = onTerminal(place, ["call", "shell", "command=touch made"]);
  type("y\ry\r");
  await until("it was typed", () => shown.stdout.includes("y\r\ny\r\n"));
  await until("the question", () => shown.stdout.includes(QUESTION));
  type("n\r");
  assert.equal((await finished).code, 3, shown.stdout);
  assert.equal(existsSync(join(place.folder, "made")), false);
});

test(
  "the question is in words with hidden characters visible, and Ctrl-O shows the whole input as JSON",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const command = "echo safe\u{1b}[2K\u{202e} # \u{200b}rm";
    const { finished, shown, type } = onTerminal(place, ["call", "shell", `command=${command}`]);
    await until("the question", () => shown.stdout.includes(QUESTION));
    type("\u{f}");
    await until("its JSON and the question again", () => shown.stdout.split(QUESTION).length > 2);
    type("n\r");
    await finished;
    const asked = shown.stdout.slice(0, shown.stdout.indexOf(QUESTION));
    assert.match(asked, /Run echo safe.* \(shell, high risk\)/);
    assert.doesNotMatch(asked, /"command"/, "JSON is shown on request");
    assert.match(shown.stdout, /"command": "echo safe\\u001b\[2K\\u\{202e\} # \\u\{200b\}rm"/);
    assert.ok(asked.includes(`in ${place.folder}`));
    assert.ok(!asked.includes("\u{202e}") && !asked.includes("\u{1b}[2K"));
  },
);

test(
  "the question about a change shows its diff and the whole path, and so does approve",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    place.write("a.txt", "one\ntwo\n");
    const call = ["call", "write_file", "path=a.txt", "content=one\n2\u{1b}[2K\n"];
    const { finished, shown, type } = onTerminal(place, call);
    await until("the question", () => shown.stdout.includes(QUESTION));
    const listed = await runCli(place, ["approve"]);
    type("n\r");
    await finished;
    for (const asked of [shown.stdout.replaceAll("\r", ""), listed.stdout]) {
      assert.match(asked, /^ {2}-two\n {2}\+2\\u\{1b\}\[2K$/m);
      assert.match(asked, /^\? Edit a\.txt {2}\+1 −1 {2}\(write_file, medium risk\)$/m);
      assert.ok(asked.includes(`in ${place.folder}`), asked);
    }
  },
);

test(
  "a call that runs longer than a moment shows a spinner with its time and last line, cleared at the end",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const command = "echo first line; while [ ! -e go ]; do sleep 0.05; done; echo end";
    const { finished, shown } = onTerminal(place, ["call", "shell", `command=${command}`, "--mode", "yolo"]);
    await until("the spinner", () => /⠋|⠙|⠹|⠸|⠼|⠴|⠦|⠧|⠇|⠏/.test(shown.stdout));
    await until("time and tail", () => /shell \d+\.\d s {2}first line/.test(shown.stdout));
    place.write("go", "");
    const { code } = await finished;
    assert.equal(code, 0);
    const last = shown.stdout.slice(shown.stdout.lastIndexOf("\u{1b}[2K"));
    assert.equal(last, "\u{1b}[2Kfirst line\r\nend\r\n");
  },
);

const NODES = [
  ["the program itself", process.execPath],
  ["the launcher and the program", oldNode],
] as const;

for (const [who, node] of NODES) {
  const skipped = skipTerminal || (node === undefined ? "there is no Node from 14 to 21 on the PATH" : false);
  test(
    `one Ctrl-C on the terminal, which reaches ${who}, cancels the call once`,
    { skip: skipped },
    async (t) => {
      const { mark } = longCommand();
      // It takes a moment to end: an end at once would cut it off.
      const command = `trap 'sleep 0.3; echo tidied; exit' TERM; touch started; while true; do ${mark} & wait; done`;
      const place = createPlace(t);
      const { finished, type } = onTerminal(
        place,
        ["call", "shell", `command=${command}`, "--mode", "yolo"],
        node === undefined ? {} : { node },
      );
      await until("the command is ready", () => existsSync(join(place.folder, "started")));
      type("\u{3}");
      const { code, stdout } = await finished;
      assert.equal(code, 130);
      assert.match(stdout, /tidied/, "what it printed at its end is told");
      assert.deepEqual(processesWith(mark), []);
    },
  );
}

test(
  "without arguments a person is in a conversation, where commands work, and can leave it",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const { finished, shown, type } = onTerminal(place, []);
    await until("the first start asks", () => shown.stdout.includes("arrows and Enter"));
    type("3");
    await until("it is ready", () => shown.stdout.includes("no model is set"));
    assert.ok(shown.stdout.includes(place.folder));
    type("/tool ls\r");
    await until("the command has shown something", () => shown.stdout.includes("recursive"));
    type("/exit\r");
    assert.equal((await finished).code, 0);
  },
);

test(
  "the gateway on a terminal says what it waits for, and Ctrl-C ends it",
  { skip: skipTerminal },
  async (t) => {
    const { finished, shown, type } = onTerminal(createPlace(t), ["mcp"]);
    await until("it waits", () => shown.stdout.includes("waiting for an MCP client"));
    type("\u{3}");
    assert.equal((await finished).code, 0);
  },
);

test("without arguments and without a terminal it prints help", async (t) => {
  const { code, stdout } = await runCli(createPlace(t), []);
  assert.equal(code, 0);
  assert.match(stdout, /toolwright COMMAND/);
});

test("a table fits the terminal's width", { skip: skipTerminal }, async (t) => {
  const { finished } = onTerminal(createPlace(t), ["tools"]);
  const { stdout } = await finished;
  const widths = stdout.split("\r\n").map((line) => line.length);
  assert.ok(Math.max(...widths) <= 80, String(widths));
});
