import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createPlace, runProcess } from "./support/cli.ts";

test("the stack trace of an internal error names the TypeScript file and line", async (t) => {
  const place = createPlace(t);
  const preload = join(place.folder, "sabotage.mjs");
  writeFileSync(
    preload,
    'import crypto from "node:crypto"; import { syncBuiltinESMExports } from "node:module"; crypto.randomUUID = globalThis.crypto.randomUUID = () => { throw new TypeError("sabotaged"); }; syncBuiltinESMExports();\n',
  );
  const environment = { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` };
  const { code, stderr } = await runProcess(place, ["call", "ls"], { environment });
  assert.equal(code, 1);
  assert.match(stderr, /^toolwright: internal error, please report it: TypeError: sabotaged/);
  const [, file = "", line = ""] = /\((\S*\/src\/\S+\.ts):(\d+):\d+\)/.exec(stderr) ?? [];
  assert.ok(existsSync(file), stderr);
  assert.match(readFileSync(file, "utf8").split("\n")[Number(line) - 1] ?? "", /randomUUID\(/);
});
