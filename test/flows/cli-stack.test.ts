import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createPlace, runProcess } from "./support/cli.ts";

test("the stack trace of an internal error names the functions that were called", async (t) => {
  const place = createPlace(t);
  const preload = join(place.folder, "sabotage.mjs");
  writeFileSync(
    preload,
    `import crypto from "node:crypto"; import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const { readFileSync } = fs;
    const fail = () => { throw new TypeError("sabotaged"); };
    fs.readFileSync = (path, ...rest) => path === "/proc/sys/kernel/random/uuid" ? fail() : readFileSync(path, ...rest);
    crypto.randomUUID = globalThis.crypto.randomUUID = fail; syncBuiltinESMExports();`,
  );
  const environment = { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` };
  const { code, stderr } = await runProcess(place, ["call", "ls"], { environment });
  assert.equal(code, 1);
  assert.match(stderr, /^toolwright: internal error, please report it: TypeError: sabotaged/);
  for (const name of ["newCallId", "toCall", "runCommand", "main"])
    assert.match(stderr, new RegExp(`^ +at (?:async )?${name} \\(\\S+:\\d+:\\d+\\)$`, "m"));
});
