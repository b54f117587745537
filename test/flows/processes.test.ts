import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createPlace,
  longCommand,
  processesWith,
  runProcess,
  startCli,
  until,
  withoutProc,
  type Place,
} from "./support/cli.ts";

function recordsOf({ home }: Place): readonly string[] {
  const folder = join(home, "state", "processes");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test(
  "kill -9 during a shell call leaves no orphan after the next start",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    const [one, two] = [longCommand(), longCommand()];
    t.after(() => {
      for (const pid of [one, two].flatMap(({ mark }) => processesWith(mark))) process.kill(pid, "SIGKILL");
    });
    const command = `trap '' HUP TERM; ${one.command} & ${two.command}`;
    const { child, finished } = startCli(place, ["call", "shell", `command=${command}`, "--mode", "yolo"]);
    await until("both commands run", () => [one, two].every(({ mark }) => processesWith(mark).length > 0));
    await until("their group is recorded", () => recordsOf(place).length === 1);
    child.kill("SIGKILL");
    await finished;
    assert.equal(
      [one, two].every(({ mark }) => processesWith(mark).length > 0),
      true,
      "they outlive the kill",
    );
    const next = await runProcess(place, ["call", "think", "thought=x"]);
    assert.equal(next.code, 0);
    assert.deepEqual(
      [one, two].flatMap(({ mark }) => processesWith(mark)),
      [],
    );
    assert.deepEqual(recordsOf(place), []);
  },
);

test(
  "kill -9 leaves no background process and no terminal after the next start",
  { skip: withoutProc },
  async (t) => {
    const place = createPlace(t);
    const [one, two] = [longCommand(), longCommand()];
    t.after(() => {
      for (const pid of [one, two].flatMap(({ mark }) => processesWith(mark))) process.kill(pid, "SIGKILL");
    });
    const { child, finished } = startCli(place, ["batch", "--mode", "yolo"], {
      // A terminal's own files are left behind by a kill; here they go with the place.
      environment: { TMPDIR: place.home },
    });
    const calls = [
      { name: "shell", input: { command: one.command, background: true } },
      { name: "shell", input: { command: `trap '' HUP; ${two.command}`, terminal_id: "t" } },
    ];
    child.stdin?.write(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
    await until("both commands run", () => [one, two].every(({ mark }) => processesWith(mark).length > 0));
    await until("both are recorded", () => recordsOf(place).length === 2);
    child.kill("SIGKILL");
    await finished;
    assert.equal(processesWith(one.mark).length, 1, "the background process outlives the kill");
    assert.equal((await runProcess(place, ["call", "think", "thought=x"])).code, 0);
    assert.deepEqual([...processesWith(one.mark), ...processesWith(two.mark)], []);
  },
);

test("a start beside a living process leaves its commands alone", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const { command, mark } = longCommand();
  const { child, finished } = startCli(place, ["call", "shell", `command=${command}`, "--mode", "yolo"]);
  await until("the command runs", () => processesWith(mark).length > 0);
  await runProcess(place, ["call", "think", "thought=x"]);
  assert.equal(processesWith(mark).length, 1);
  child.kill("SIGTERM");
  await finished;
  assert.deepEqual(processesWith(mark), []);
  assert.deepEqual(recordsOf(place), []);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(
    `${signal} ends background processes and terminals with the program`,
    { skip: withoutProc },
    async (t) => {
      const place = createPlace(t);
      const [one, two] = [longCommand(), longCommand()];
      const { child, finished } = startCli(place, ["batch", "--mode", "yolo"]);
      const calls = [
        { name: "shell", input: { command: one.command, background: true } },
        { name: "shell", input: { command: `trap '' HUP; ${two.command} &`, terminal_id: "t" } },
      ];
      child.stdin?.write(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
      await until("both run", () => [one, two].every(({ mark }) => processesWith(mark).length > 0));
      child.kill(signal);
      await finished;
      assert.deepEqual([...processesWith(one.mark), ...processesWith(two.mark)], []);
      assert.deepEqual(recordsOf(place), []);
    },
  );
}

test("with a store in memory nothing is noted anywhere", async (t) => {
  const place = createPlace(t);
  const command = "while [ ! -e go ]; do sleep 0.05; done";
  const words = ["call", "shell", `command=${command}`, "--mode", "yolo", "--store", ":memory:"];
  const { finished, shown } = startCli(place, [...words, "--verbose"]);
  await until("the command runs", () => shown.stderr.includes("call.started"));
  assert.deepEqual(readdirSync(place.home), []);
  place.write("go", "");
  assert.equal((await finished).code, 0);
  assert.deepEqual(readdirSync(place.home), []);
});

test("variables with secret names reach a command only when the user's config names them", async (t) => {
  const place = createPlace(t);
  const environment = {
    OPENAI_API_KEY: "k-111111111",
    GITHUB_TOKEN: "t-22222222",
    CLIENT_SECRET: "s-333333333",
    DB_PASSWORD: "p-4444444444",
    PASSWORD_FILE: "f-55555555555",
  };
  const command = Object.keys(environment)
    .map((name) => `echo ${name}:\${#${name}}`)
    .join("; ");
  const run = async (more: object = {}) => {
    const input = `${JSON.stringify({ name: "shell", input: { command, ...more } })}\n`;
    const { stdout } = await runProcess(place, ["batch", "--mode", "yolo"], { environment, input });
    return [...stdout.matchAll(/(?:KEY|TOKEN|SECRET|PASSWORD|FILE):(\d+)/g)]
      .map(([, length]) => length)
      .slice(0, 5);
  };
  const none = ["0", "0", "0", "0", "0"];
  assert.deepEqual(await run(), none);
  assert.deepEqual(await run({ terminal_id: "t" }), none);
  writeFileSync(
    join(place.home, "config.json"),
    JSON.stringify({ environment: ["GITHUB_TOKEN", "DB_PASSWORD"] }),
  );
  assert.deepEqual(await run(), ["0", "10", "0", "12", "0"]);
  assert.deepEqual(await run({ terminal_id: "t" }), ["0", "10", "0", "12", "0"]);
});
