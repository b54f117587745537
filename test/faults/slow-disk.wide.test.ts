import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, runProcess } from "../flows/support/cli.ts";
import { withoutStrace } from "../support/faults/power-cut/record-system-calls.ts";
import { isLong } from "../support/property-runs.ts";

const DELAYS = isLong ? [100, 1000, 5000] : [1500];
const TIMEOUT_SECONDS = 1;
/** A change that has begun is waited for so long. */
const GRACE_MS = 10_000;

interface Answer {
  readonly callId: string;
  readonly ok: boolean;
  readonly meta: { readonly durationMs: number };
  readonly error?: {
    readonly code: string;
    readonly hint?: string;
    readonly details?: { readonly changed?: readonly string[] };
  };
}

const CALLS = [
  ...[1, 2, 3].map((number) => ({
    id: `write-${number}`,
    name: "write_file",
    input: { path: `new-${number}.txt`, content: `content ${number}` },
  })),
  { id: "list", name: "ls", input: {} },
  { id: "run", name: "shell", input: { command: "echo ran" } },
  { id: "remember", name: "remember", input: { key: "disk", value: "slow" } },
];

for (const delayMs of DELAYS)
  test(
    `with a disk that takes ${delayMs} ms for each sync, every answer is true, and calls that need no sync do not wait`,
    { skip: withoutStrace },
    async (t) => {
      const place = createPlace(t);
      // Its store is there, and what else the first start writes.
      await runCli(place, ["call", "ls"]);
      const inject = `inject=fsync,fdatasync:delay_enter=${delayMs * 1000}`;
      const strace = [
        "strace",
        "-f",
        "-qqq",
        "--seccomp-bpf",
        "-e",
        "trace=fsync,fdatasync",
        "-e",
        "status=none",
      ];
      const finished = await runProcess(
        place,
        ["batch", "--mode", "yolo", "--parallel", "8", "--timeout", `${TIMEOUT_SECONDS}`],
        {
          under: [...strace, "-e", inject],
          input: CALLS.map((call) => `${JSON.stringify(call)}\n`).join(""),
        },
      );
      const answers = finished.stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Answer);
      t.diagnostic(
        answers
          .map(
            ({ callId, ok, error, meta }) =>
              `${callId} ${ok ? "ok" : error?.code} ${Math.round(meta.durationMs)} ms`,
          )
          .join(", "),
      );
      assert.deepEqual(
        answers.map(({ callId }) => callId).toSorted(),
        CALLS.map(({ id }) => id).toSorted(),
        finished.stderr,
      );
      for (const answer of answers) {
        const { callId: id, ok, error, meta } = answer;
        assert.ok(meta.durationMs < TIMEOUT_SECONDS * 1000 + GRACE_MS + 5000, JSON.stringify(answer));
        if (!id.startsWith("write-")) {
          assert.ok(ok, JSON.stringify(answer));
          // A thread of its own waits for the disk. Shorter delays are less than what a busy machine may take.
          if (delayMs >= 5000) assert.ok(meta.durationMs < delayMs, JSON.stringify(answer));
          continue;
        }
        const name = `new-${id.slice(6)}.txt`;
        const path = join(place.folder, name);
        const isWritten = existsSync(path) && readFileSync(path, "utf8") === `content ${id.slice(6)}`;
        assert.equal(isWritten, ok || (error?.details?.changed ?? []).length > 0, JSON.stringify(answer));
      }
      const { stdout } = await runCli(place, ["trace", "--all", "--json"]);
      const recorded = stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { callId: string; state: string });
      for (const { id } of CALLS)
        assert.equal(recorded.find(({ callId }) => callId === id)?.state, "answered", stdout);
    },
  );
