import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { findTryingPackage } from "../../scripts/conformance/run-suite.ts";

const SUITE = "@modelcontextprotocol/conformance";
const skip =
  findTryingPackage(SUITE) === undefined
    ? `${SUITE} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`
    : false;

test(
  "the official suite passes against our client, logins included, and every skip has a reason",
  { skip, timeout: 600_000 },
  async () => {
    const child = spawn(process.execPath, [resolve("scripts/conformance.ts"), "client"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const code = await new Promise((settle, reject) => child.on("error", reject).on("close", settle));
    assert.equal(code, 0, stdout);
    for (const [revision, least] of [
      ["2025-11-25", 270],
      ["2026-07-28", 420],
    ] as const) {
      const [, passed] =
        new RegExp(`client, ${revision}: (\\d+) checks passed, 0 failed, 6 skipped`).exec(stdout) ?? [];
      assert.ok(Number(passed) >= least, stdout);
    }
    const skips = stdout.split("\n").filter((line) => line.startsWith("  skipped "));
    assert.equal(skips.length, 12);
    for (const line of skips) assert.match(line, /^ {2}skipped [\w/-]+: .{20,}/);
  },
);
