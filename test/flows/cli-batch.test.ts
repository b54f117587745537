import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
  type Place,
} from "./support/cli.ts";

function lines(calls: readonly unknown[]): string {
  return calls.map((call) => `${typeof call === "string" ? call : JSON.stringify(call)}\n`).join("");
}

function answers(text: string): readonly ToolResult[] {
  return text
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ToolResult);
}

async function trace(
  place: Place,
): Promise<readonly { callId: string; state: string; answer: ToolResult | null }[]> {
  const { stdout, code, stderr } = await runCli(place, ["trace", "--json"]);
  assert.equal(code, 0, stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as never);
}

test("answers come in the order of the calls, and the exit code is the first that is not 0", async (t) => {
  const place = createPlace(t);
  place.write("a", "text\n");
  const input = lines([
    { id: "slow", name: "shell", input: { command: "sleep 0.3; echo slow" } },
    { id: "fast", name: "read_file", input: { path: "a" } },
    { id: "missing", name: "nope", input: {} },
    { id: "failing", name: "read_file", input: { path: "b" } },
  ]);
  const { code, stdout } = await runCli(place, ["batch", "--mode", "yolo"], { input });
  assert.deepEqual(
    answers(stdout).map(({ callId, ok }) => [callId, ok]),
    [
      ["slow", true],
      ["fast", true],
      ["missing", false],
      ["failing", false],
    ],
  );
  assert.equal(code, 2);
});

test("a line that is not a call is answered in its place", async (t) => {
  const place = createPlace(t);
  place.write("a", "text\n");
  const good = { id: "good", name: "read_file", input: { path: "a" } };
  const input = lines(["{not json", "", '["a list"]', '{"id": "nameless"}', good, "   "]);
  const { code, stdout } = await runCli(place, ["batch"], { input });
  const codes = answers(stdout).map((answer) => (answer.ok ? "ok" : answer.error.code));
  assert.deepEqual(codes, ["UNREADABLE_CALL", "UNREADABLE_CALL", "UNREADABLE_CALL", "ok"]);
  assert.match(stdout, /line 1 is not valid JSON: Expected property name .* \(line 1 column 2\)/);
  assert.equal(answers(stdout)[2]?.callId, "nameless");
  assert.equal(code, 2);
});

test("bytes that are not UTF-8 are answered as an unreadable call", async (t) => {
  const input = Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('{"name": "nope"}')]);
  const { stdout } = await runCli(createPlace(t), ["batch"], { input });
  assert.deepEqual(
    answers(stdout).map((answer) => !answer.ok && answer.error.code),
    ["UNREADABLE_CALL", "TOOL_NOT_FOUND"],
  );
});

test("an answer comes while the input is still open", async (t) => {
  const place = createPlace(t);
  place.write("a", "text\n");
  const { child, finished, shown } = startCli(place, ["batch"]);
  child.stdin?.write(lines([{ id: "1", name: "read_file", input: { path: "a" } }]));
  await until("the first answer", () => shown.stdout.includes("\n"));
  child.stdin?.end(lines([{ id: "2", name: "read_file", input: { path: "a" } }]));
  const { code, stdout } = await finished;
  assert.equal(code, 0);
  assert.deepEqual(
    answers(stdout).map(({ callId }) => callId),
    ["1", "2"],
  );
});

test("calls with effects run one after the other unless --parallel is given", async (t) => {
  const place = createPlace(t);
  const command = (name: string): string =>
    `echo ${name} >> begun; for i in $(seq 200); do test $(wc -l < begun) -ge 2 && echo met && break; sleep 0.01; done`;
  const input = lines(["a", "b"].map((id) => ({ id, name: "shell", input: { command: command(id) } })));
  const together = await runCli(place, ["batch", "--parallel", "2", "--mode", "yolo"], { input });
  assert.match(
    answers(together.stdout)[0]
      ?.content.map((one) => one.type === "text" && one.text)
      .join("") ?? "",
    /met/,
  );
  const other = createPlace(t);
  const apart = await runCli(other, ["batch", "--mode", "yolo"], { input });
  assert.doesNotMatch(JSON.stringify(answers(apart.stdout)[0]?.content), /met/);
  assert.equal(readFileSync(join(other.folder, "begun"), "utf8"), "a\nb\n");
});

test("--envelope answers in that form", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["batch", "--envelope"], { input: lines([{ name: "nope" }]) });
  assert.equal((JSON.parse(stdout) as { tool_success: boolean }).tool_success, false);
});

test(
  "a long input is taken in as the answers are read, in bounded memory",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    const { child, finished } = startCli(place, ["batch", "--store", ":memory:"]);
    child.stdout?.pause();
    const line = Buffer.from(lines([{ name: "nope", input: { text: "x".repeat(10_000) } }]));
    let taken = 0;
    let isBlocked = false;
    while (!isBlocked && taken < 64_000_000) {
      taken += line.length;
      if (child.stdin?.write(line) === true) continue;
      isBlocked = await Promise.race([
        new Promise<boolean>((drained) => child.stdin?.once("drain", () => drained(false))),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 1500)),
      ]);
    }
    assert.ok(isBlocked, "nobody reads the answers, so the input must be left waiting");
    assert.ok(taken < 32_000_000, `${taken} bytes were taken in`);
    child.kill("SIGTERM");
    child.stdout?.resume();
    await finished;
  },
);

test(
  "Ctrl-C ends a batch: what runs is cancelled and answered, no process is left",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    const { command, mark } = longCommand();
    const { child, finished } = startCli(place, ["batch", "--mode", "yolo"]);
    const after = { id: "2", name: "shell", input: { command: "touch after" } };
    child.stdin?.write(lines([{ id: "1", name: "shell", input: { command } }, after]));
    await until("the command runs", () => processesWith(mark).length > 0);
    child.kill("SIGINT");
    const { code, stdout } = await finished;
    assert.equal(code, 130);
    assert.deepEqual(
      answers(stdout).map((one) => !one.ok && one.error.code),
      ["CANCELLED", "CANCELLED"],
    );
    assert.deepEqual(processesWith(mark), []);
    assert.equal(existsSync(join(place.folder, "after")), false);
  },
);

test("Ctrl-C while a batch waits for input exits 130", async (t) => {
  const place = createPlace(t);
  place.write("a", "");
  const { child, finished, shown } = startCli(place, ["batch"]);
  child.stdin?.write(lines([{ name: "read_file", input: { path: "a" } }]));
  await until("it runs", () => shown.stdout.includes("\n"));
  child.kill("SIGINT");
  assert.equal((await finished).code, 130);
});

test(
  "after kill -9 during a batch every call that was taken in has exactly one answer",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    place.write("a", "text\n");
    const { command, mark } = longCommand();
    t.after(() => {
      for (const pid of processesWith(mark)) process.kill(pid, "SIGKILL");
    });
    const { child, finished, shown } = startCli(place, ["batch", "--mode", "yolo", "--parallel", "4"]);
    const reads = Array.from({ length: 50 }, (_, index) => ({
      id: `read-${index}`,
      name: "read_file",
      input: { path: "a" },
    }));
    child.stdin?.write(lines([...reads, { id: "stuck", name: "shell", input: { command } }]));
    await until("the long command runs", () => processesWith(mark).length > 0);
    await until("the reads are answered", () => shown.stdout.split("\n").length > reads.length);
    child.kill("SIGKILL");
    assert.equal((await finished).signal, "SIGKILL");

    const calls = await trace(place);
    assert.equal(calls.length, reads.length + 1);
    assert.equal(new Set(calls.map(({ callId }) => callId)).size, calls.length, "one line a call");
    for (const { callId, state, answer } of calls) {
      assert.notEqual(answer, null, callId);
      assert.equal(state, callId === "stuck" ? "interrupted" : "answered");
    }
    const stuck = calls.find(({ callId }) => callId === "stuck")?.answer;
    assert.equal(stuck?.ok === false && stuck.error.code, "INTERRUPTED");
    assert.deepEqual(await trace(place), calls, "and it stays the one answer");
  },
);

test("a call that is running in another process is listed as open", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const { command, mark } = longCommand();
  const running = startCli(place, ["call", "shell", `command=${command}`, "--mode", "yolo"]);
  await until("the command runs", () => processesWith(mark).length > 0);
  const [open] = await trace(place);
  assert.deepEqual([open?.state, open?.answer], ["open", null]);
  running.child.kill("SIGINT");
  await running.finished;
  const [settled] = await trace(place);
  assert.equal(settled?.state, "answered");
});

const BAD: readonly (readonly string[])[] = [
  ["--parallel", "0"],
  ["--parallel", "many"],
  ["--parallel"],
  ["--paralel", "2"],
];
for (const flags of BAD) {
  test(`batch ${flags.join(" ")} exits 2 and says why`, async (t) => {
    const { code, stderr } = await runCli(createPlace(t), ["batch", ...flags]);
    assert.equal(code, 2);
    assert.match(stderr, /--parallel/);
  });
}

test("a line that has its input under another name is answered as unreadable, and nothing runs", async (t) => {
  const place = createPlace(t);
  const input = ["arguments", "args", "parameters", "params"]
    .map((key) => `${JSON.stringify({ id: key, name: "ls", [key]: { path: "src" } })}\n`)
    .join("");
  const { code, stdout } = await runCli(place, ["batch"], { input });
  assert.equal(code, 2);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ToolResult);
  assert.deepEqual(
    answers.map((answer) => !answer.ok && [answer.callId, answer.error.code]),
    ["arguments", "args", "parameters", "params"].map((key) => [key, "UNREADABLE_CALL"]),
  );
  const block = '{"type":"tool_use","id":"1","name":"ls","input":{}}\n';
  assert.equal((await runCli(place, ["batch"], { input: block })).code, 0);
});

test("without a usable store every line is answered with the reason", async (t) => {
  const place = createPlace(t);
  place.write("file", "");
  const input = lines([
    { id: "a", name: "read_file", input: { path: "file" } },
    "",
    { id: "b", name: "nope" },
    "{",
  ]);
  const { code, stdout, stderr } = await runCli(place, ["batch", "--store", join(place.folder, "file")], {
    input,
  });
  const found = answers(stdout);
  assert.deepEqual(
    found.map((one) => one.ok || one.error.code),
    ["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"],
  );
  assert.deepEqual(
    found.slice(0, 2).map(({ callId }) => callId),
    ["a", "b"],
  );
  assert.match(stderr, /cannot be created/);
  assert.notEqual(code, 0);
});
