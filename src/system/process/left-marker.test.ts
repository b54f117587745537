import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { existsSync, readFileSync } from "node:fs";
import { createMarker, findMarked, MARKER, recordStart } from "./marker.ts";

test(
  "what another process left behind is found after this process has started programs",
  { skip: !existsSync("/proc/self/environ") && "needs /proc", timeout: 60_000 },
  async (context) => {
    const start = (marker: string): number => {
      const child = spawn("sleep", ["600"], { env: { ...process.env, [MARKER]: marker }, stdio: "ignore" });
      context.after(() => child.kill("SIGKILL"));
      return child.pid ?? 0;
    };
    const left = start("another.1");
    const own = start(createMarker());
    const ended = recordStart(own);
    while (!readFileSync(`/proc/${left}/environ`).includes("another.1")) await new Promise(setImmediate);
    assert.deepEqual(await findMarked("another.1"), [left]);
    ended();
  },
);
