import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function listeners(): readonly number[] {
  return SIGNALS.map((signal) => process.listenerCount(signal));
}

for (const [args, settings, expected] of [
  [["tool", "new", "hello", "--lang", "sh"], {}, 0],
  [["tools"], { mode: "never" }, 2],
  [["call", "think", "thought=x"], { mode: "never" }, 2],
] as const) {
  test(`toolwright ${args.join(" ")} ends with ${expected} and no longer listens for signals`, async (t) => {
    const place = createPlace(t);
    writeFileSync(join(place.home, "config.json"), JSON.stringify(settings));
    const before = listeners();
    const { code, stderr } = await runCli(place, args);
    assert.equal(code, expected, stderr);
    assert.deepEqual(listeners(), before);
  });
}
