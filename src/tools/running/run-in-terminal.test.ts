import assert from "node:assert/strict";
import { mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { runningEngine, untilTrue, type Answered } from "../../../test/support/running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { memoryArtifacts } from "../../../test/support/engines/tool-context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { RunningOptions } from "./options.ts";

type InTerminal = (command: string, more?: JsonObject) => Promise<Answered>;

function terminal(context: TestContext, options: Partial<RunningOptions> = {}) {
  const made = runningEngine(context, options);
  const shell: InTerminal = (command, more = {}) => made.run("shell", { command, terminal_id: "t", ...more });
  return { ...made, shell };
}

test("folder, variables and jobs live on from command to command", async (context) => {
  const { shell, root } = terminal(context);
  mkdirSync(join(root, "sub"));
  await shell("cd sub; X=5; f() { echo f$1; }; sleep 60 & P=$!");
  const { text } = await shell('pwd; echo $X; f 1; kill -0 $P && echo "job alive"');
  assert.equal(text, `${join(root, "sub")}\n5\nf1\njob alive`);
});

for (const [command, text, exitCode] of [
  ["echo hi", "hi", 0],
  ["printf 'no newline'", "no newline", 0],
  ["false", "[no output]\n[exit code 1]", 1],
  ["(exit 42)", "[no output]\n[exit code 42]", 42],
  ["echo a\necho b", "a\nb", 0],
  ["for i in 1 2; do\n  echo $i\ndone", "1\n2", 0],
  ["cat <<END\nx $((1+1))\nEND", "x 2", 0],
  ['echo "it\'s !fine! \\$5"', "it's !fine! $5", 0],
  ["echo err >&2", "err", 0],
  ["printf '\\033[31mred\\033[0m\\n'", "red", 0],
  ["set -x; set +x 2>/dev/null; echo $TERM", "dumb", 0],
  ["echo ü€", "ü€", 0],
  [`echo ${"y".repeat(9000)} | wc -c`, "9001", 0],
  ["true # a comment", "[no output]", 0],
  ["stty size", "40 120", 0],
] as const) {
  test(`a terminal answers ${JSON.stringify(command.slice(0, 40))} with its output and exit code alone`, async (context) => {
    const { shell } = terminal(context);
    const answered = await shell(command);
    assert.equal(answered.data["exit_code"], exitCode);
    assert.equal(answered.text.replace(/^\+.*\n/gm, ""), text);
  });
}

for (const [name, command, says] of [
  ["a syntax error", "if then", /syntax error/],
  ["a quote that is not closed", "echo 'open", /unexpected EOF/],
  ["an error that throws the shell back to its prompt", "echo ${nope:?is missing}; echo never", /is missing/],
  ["a prompt of its own", "PROMPT_COMMAND='echo mine'; PS1='> '; PS2='> '", /no output/],
  ["an echo of its own", "stty echo", /no output/],
  ["a redirection of the shell's own output", "exec >/dev/null", /no output/],
] as const) {
  test(`${name} is answered, and the terminal goes on`, async (context) => {
    const { shell } = terminal(context);
    const first = await shell(command);
    assert.match(first.text, says);
    assert.doesNotMatch(first.text, /never/);
    assert.equal((await shell("exec >/dev/tty; echo next")).text, "next");
    assert.equal((await shell("(exit 7)")).data["exit_code"], 7);
    assert.equal((await shell("echo $?")).text, "7");
  });
}

test("of commands that are sent to a terminal at once, one runs and the others are told that it is busy", async (context) => {
  const { shell } = terminal(context);
  for (const opening of ["a new terminal", "an open terminal"]) {
    const sent = ["a", "b", "c", "d"].map((word) => shell(`sleep 0.1; echo ${word}`, { timeout_seconds: 5 }));
    const texts = (await Promise.all(sent)).map(({ text }) => text);
    const ran = texts.filter((text) => /^[a-d]$/.test(text));
    assert.equal(ran.length, 1, `${opening}: ${texts.join(", ")}`);
    const busy = texts.filter((text) =>
      text.includes(`terminal t is still busy with: sleep 0.1; echo ${ran[0]}`),
    );
    assert.equal(busy.length, 3, `${opening}: ${texts.join(", ")}`);
  }
});

test("equal results are distinguished by their commands", async (context) => {
  const { shell } = terminal(context);
  for (let index = 0; index < 50; index += 1) {
    assert.equal((await shell(`echo ${index}; (exit ${index})`)).data["exit_code"], index);
  }
});

test("a command that reads its input gets text with or without Enter, and keys", async (context) => {
  const { shell } = terminal(context);
  const started = await shell("read -r a; read -r -n 1 b; echo; echo got $a $b; cat", {
    idle_timeout_seconds: 1,
  });
  assert.equal(started.data["terminal_state"], "busy");
  assert.match(started.text, /still running in terminal t/);
  await shell("one two", { is_input: true });
  assert.match((await shell("x", { is_input: true, no_enter: true })).text, /got one two x/);
  assert.match((await shell("again", { is_input: true })).text, /^again\n\[still running/);
  const ended = await shell("C-d", { is_input: true });
  assert.deepEqual([ended.data["exit_code"], ended.data["terminal_state"]], [0, "ready"]);
  assert.equal((await shell("echo ready")).text, "ready");
});

test("an empty input only reads the output, also that between calls", async (context) => {
  const { shell, root } = terminal(context);
  await shell(`(while [ ! -e ${root}/gate ]; do sleep 0.01; done; echo later) &`);
  writeFileSync(join(root, "gate"), "");
  await untilTrue("the job's output is read", async () =>
    (await shell("", { is_input: true })).text.includes("later"),
  );
});

test("at the deadline the command gets Ctrl-C, its output is returned, and the terminal is ready", async (context) => {
  const { shell } = terminal(context);
  const late = await shell("echo before; sleep 60; echo never", { timeout_seconds: 1 });
  assert.equal(late.code, "TOOL_TIMEOUT");
  assert.match(late.text, /the command got Ctrl-C; terminal t is ready/);
  assert.match(JSON.stringify(late.data["stdout"]), /^"before\\n/);
  assert.equal(late.data["terminal_state"], "ready");
  assert.equal((await shell("echo next")).text, "next");
});

test("a command that ignores Ctrl-C leaves the terminal busy, and the answers say so", async (context) => {
  const { shell } = terminal(context);
  const late = await shell("(trap '' INT; echo stubborn; exec sleep 60)", { timeout_seconds: 1 });
  assert.deepEqual([late.code, late.data["terminal_state"]], ["TOOL_TIMEOUT", "busy"]);
  assert.match(late.text, /still busy/);
  const refused = await shell("echo no");
  assert.match(refused.text, /terminal t is still busy with: \(trap/);
  const killed = await shell("C-\\", { is_input: true });
  assert.equal(killed.data["terminal_state"], "ready");
  assert.equal(killed.data["exit_code"], 131);
});

test("a cancelled call sends Ctrl-C to the command and keeps the terminal open", async (context) => {
  const { run, shell } = terminal(context);
  await shell("true");
  const controller = new AbortController();
  const running = run("shell", { command: "sleep 60", terminal_id: "t" }, { signal: controller.signal });
  controller.abort();
  assert.equal((await running).code, "CANCELLED");
  await untilTrue("the terminal is ready", async () => (await shell("echo ok")).text === "ok");
});

for (const command of ["exit 3", "exec bash -c 'exit 3'"]) {
  test(`${command} ends the terminal, says so, and the next call starts anew`, async (context) => {
    const { shell } = terminal(context);
    await shell("X=1");
    const ended = await shell(`sleep 60 & echo $!; ${command}`);
    assert.equal(ended.data["exit_code"], 3);
    assert.equal(ended.data["terminal_state"], "ended");
    assert.match(ended.text, /\[terminal t has ended\]/);
    assert.match((await shell("x", { is_input: true })).text, /terminal t has ended/);
    const anew = await shell("echo [$X]");
    assert.match(anew.text, /^\[\]\n\[the earlier terminal with that id has ended/);
    const job = Number(ended.text.match(/\d+/g)?.at(-2));
    await untilTrue("the job is gone", () => !isRunning(job));
  });
}

test("a shell that is killed is an ended terminal, not a call that hangs", async (context) => {
  const { shell } = terminal(context);
  const killed = await shell("kill -KILL $BASHPID");
  assert.deepEqual([killed.data["signal"], killed.data["terminal_state"]], ["SIGKILL", "ended"]);
});

test("input without a terminal, or to one that runs nothing, is refused", async (context) => {
  const { shell } = terminal(context);
  assert.match((await shell("x", { is_input: true })).text, /unknown terminal t/);
  await shell("true");
  assert.match(
    (await shell("touch evil", { is_input: true })).text,
    /no command is running in terminal t that could take input/,
  );
});

test("parameters that do not go together are invalid input", async (context) => {
  const { run } = terminal(context);
  for (const input of [
    { command: "" },
    { command: "a\0b" },
    { command: "x", is_input: true },
    { command: "x", no_enter: true },
    { command: "x", terminal_id: "t", is_input: true, cwd: "." },
    { command: "x", terminal_id: "t", background: true },
  ]) {
    assert.equal((await run("shell", input)).code, "INVALID_INPUT", JSON.stringify(input));
  }
});

test("cwd moves the terminal permanently; the real folder of the shell is judged", async (context) => {
  const { shell, root, engine } = terminal(context);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  assert.equal((await shell("pwd", { cwd: "link" })).text, join(root, "real"));
  assert.equal((await shell("pwd")).text, join(root, "real"));
  assert.equal((await shell("pwd; true", { cwd: root })).text, root);
  await shell("cd link; PWD=/elsewhere");
  const { facts } = await engine.explain({
    id: "1",
    name: "shell",
    input: { command: "ls", terminal_id: "t" },
  });
  assert.deepEqual(facts[0], { kind: "command", text: "ls", cwd: join(root, "real"), interactive: true });
});

test("a terminal that went outside the workspace is refused there, and can be called back", async (context) => {
  const { shell, root } = terminal(context);
  await shell("cd /");
  assert.match((await shell("echo no")).text, /outside the workspace/);
  assert.equal((await shell("pwd", { cwd: root })).text, root);
});

test("a folder that was swapped after it was judged is not entered", async (context) => {
  const { shell, root, run } = terminal(context);
  mkdirSync(join(root, "folder"));
  await shell("true");
  await shell(`mv folder moved; ln -s / folder`);
  assert.match((await shell("pwd", { cwd: "folder" })).text, /outside the workspace/);
  renameSync(join(root, "moved"), join(root, "again"));
  assert.equal(
    (await run("shell", { command: "pwd", cwd: "again", terminal_id: "t" })).text,
    join(root, "again"),
  );
});

test("long output shows its end, and the whole is an artifact", async (context) => {
  const artifacts = memoryArtifacts();
  const { run } = runningEngine(context, { artifacts });
  const { text } = await run("shell", { command: "seq 1 20000; exit", terminal_id: "t" });
  assert.match(text, /^\[truncated: the last \d+ of \d+ characters; read_artifact id=artifact-1/);
  assert(Buffer.byteLength(text) < 6 * 1024);
  assert.equal(artifacts.texts.get("artifact-1")?.startsWith("1\n2\n3\n"), true);
});

test("secrets of the environment do not reach a terminal, and pagers do not hold it up", async (context) => {
  const { shell } = terminal(context);
  const { text } = await shell("env");
  assert.match(text, /^PAGER=cat$/m);
  assert.doesNotMatch(text, /TOKEN|SECRET|NODE_/);
});

test("as many terminals as may are open, one more is refused, and an ended one makes room", async (context) => {
  const { run } = terminal(context, { limits: { terminals: 2 } });
  const open = (id: string, command = "true") => run("shell", { command, terminal_id: id });
  await Promise.all([open("a"), open("b")]);
  assert.match((await open("c")).text, /2 terminals are open, which is the limit/);
  await open("a", "exit");
  assert.equal((await open("c")).code, "ok");
});

test("an unused terminal is closed, with all programs in it", async (context) => {
  const { shell } = terminal(context, { limits: { terminalIdleMs: 200 } });
  const { text } = await shell("trap '' HUP; sleep 60 & echo $$ $!");
  const pids = text.match(/\d+/g)?.map(Number) ?? [];
  assert(pids.length >= 2);
  await untilTrue("all are gone", () => !pids.some(isRunning));
});

test("all terminals end with their session, and leave no file behind", async (context) => {
  const { engine, root } = runningEngine(context);
  const temporary = temporaryFolder(context);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = temporary;
  context.after(() =>
    TMPDIR === undefined ? delete process.env["TMPDIR"] : (process.env["TMPDIR"] = TMPDIR),
  );
  const session = "s";
  const open = (id: string) =>
    engine.run(
      { id, name: "shell", input: { command: "nohup sleep 60 & echo $$ $!", terminal_id: id } },
      { session },
    );
  const results = await Promise.all([open("a"), open("b")]);
  const pids = results.flatMap(
    ({ content }) =>
      JSON.stringify(content)
        .match(/\d{2,}/g)
        ?.map(Number) ?? [],
  );
  assert(pids.filter(isRunning).length >= 4);
  assert.equal(readdirSync(temporary).length, 2);
  await engine.session(session).close();
  assert.deepEqual(pids.filter(isRunning), []);
  assert.deepEqual(readdirSync(temporary), []);
  assert.equal(realpathSync(root), root);
});
