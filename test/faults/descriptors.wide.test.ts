import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace, runProcess } from "../flows/support/cli.ts";
import { isRunning } from "../support/programs/is-running.ts";
import { isLong } from "../support/property-runs.ts";

const CALLS: readonly object[] = [
  { name: "shell", input: { command: "echo x | cat; sleep 0.05" } },
  { name: "shell", input: { command: "sleep 1000 & echo $!" } },
  { name: "shell", input: { command: "git status" } },
  { name: "grep", input: { pattern: "x" } },
  { name: "read_file", input: { path: "a.txt" } },
];
const COUNT = isLong ? 200 : 80;

/** Runs a program that may open only this many files. */
const withDescriptors = (count: number): readonly string[] => [
  "sh",
  "-c",
  `ulimit -n ${count}; exec "$@"`,
  "sh",
];

/** The fewest are the hardest. */
for (const descriptors of isLong ? [32, 48, 96] : [32])
  test(`with ${descriptors} descriptors, ${COUNT} calls of which 64 run at once get ${COUNT} answers`, async (t) => {
    const place = createPlace(t);
    place.write("a.txt", "x\n");
    const calls = Array.from({ length: COUNT }, (_, id) => ({ id: String(id), ...CALLS[id % CALLS.length] }));
    const { stdout, stderr } = await runProcess(place, ["batch", "--parallel", "64", "--mode", "yolo"], {
      input: calls.map((call) => `${JSON.stringify(call)}\n`).join(""),
      under: withDescriptors(descriptors),
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { callId: string; ok: boolean; data?: { stdout?: string } });
    assert.deepEqual(
      answers.map(({ callId }) => callId),
      calls.map(({ id }) => id),
      stderr,
    );
    const succeeded = answers.filter(({ ok }) => ok);
    assert.ok(succeeded.length > 0, stdout);
    for (const { data } of succeeded) {
      const pid = Number(data?.stdout);
      if (pid > 1) assert.equal(isRunning(pid), false);
    }
    const next = await runProcess(place, ["call", "shell", "command=echo x", "--mode", "yolo"]);
    assert.equal(next.stdout, "x\n", next.stderr);
  });
