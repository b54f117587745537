import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MEGABYTE = 1024 * 1024;

test("a hundred agents in one team lose no message, leave no session and weigh less than a megabyte each", async (t) => {
  const program = join(import.meta.dirname, "team-hundred.ts");
  const args = ["--expose-gc", program, temporaryFolder(t)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  const { bytesAnAgent, ms, ...counted } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual(counted, {
    outcome: { kind: "answered", text: "All have told." },
    alive: 100,
    openBefore: 100,
    openAfter: 0,
    sent: 495,
    lost: [],
    twice: [],
    mostTalking: 8,
  });
  assert.ok(
    typeof bytesAnAgent === "number" && bytesAnAgent < MEGABYTE,
    `${String(bytesAnAgent)} bytes an agent`,
  );
  t.diagnostic(`${String(bytesAnAgent)} bytes an agent, ${String(ms)} ms`);
});
