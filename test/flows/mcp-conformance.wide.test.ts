import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { findTryingPackage } from "../../scripts/conformance/run-suite.ts";
import { isLong } from "../support/property-runs.ts";
import { LAUNCHER, createPlace, type Place } from "./support/cli.ts";
import { serveMcp } from "./support/mcp-client.ts";

/** For a test's `skip`: false if the package is installed, else the reason. */
function without(name: string): string | false {
  if (findTryingPackage(name) !== undefined) return false;
  return `${name} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`;
}

const SUITE = "@modelcontextprotocol/conformance";
/** Its command line alone: the newer packages bring programs for one kind of machine each. */
const INSPECTOR = "@modelcontextprotocol/inspector-cli";

function run(
  args: readonly string[],
  place?: Place,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const own = place === undefined ? {} : { HOME: place.home, TOOLWRIGHT_HOME: place.home };
  const child = spawn(process.execPath, args, {
    ...(place !== undefined && { cwd: place.folder }),
    env: { ...process.env, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const shown = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  return new Promise((settle, reject) => {
    child.on("error", reject).on("close", (code) => settle({ code, ...shown }));
  });
}

/** Runs the command line of the inspector with these arguments. */
function inspect(
  t: TestContext,
  target: readonly string[],
  ask: readonly string[],
  place: Place,
): ReturnType<typeof run> {
  t.diagnostic(ask.join(" "));
  const program = join(findTryingPackage(INSPECTOR) ?? "", "build", "cli.js");
  return run([program, "--cli", ...target, ...ask], place);
}

/** The checks that must pass at least and the scenarios that are skipped, by our side and the revision. A usual run has the first. */
const SUITES = [
  ["server", "2026-07-28", 154, 37],
  ["client", "2025-11-25", 270, 6],
  ["client", "2026-07-28", 420, 6],
  ["server", "2025-11-25", 81, 1],
] as const;

for (const [side, revision, least, skipped] of isLong ? SUITES : SUITES.slice(0, 1))
  test(
    `the official suite passes against our ${side} at ${revision}, and every skip has a reason`,
    { skip: without(SUITE), timeout: 600_000 },
    async () => {
      const { code, stdout, stderr } = await run([resolve("scripts/conformance.ts"), side, revision]);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      const counts = new RegExp(`${side}, ${revision}: (\\d+) checks passed, 0 failed, ${skipped} skipped`);
      assert.ok(Number(counts.exec(stdout)?.[1]) >= least, stdout);
      assert.doesNotMatch(stdout, /skipped http-(?:custom-)?header/);
      const skips = stdout.split("\n").filter((line) => line.startsWith("  skipped "));
      if (side === "client") assert.equal(skips.length, skipped);
      for (const line of skips) assert.match(line, /^ {2}skipped [\w/-]+: .{20,}/);
    },
  );

test("the inspector's command line works against us on stdio", { skip: without(INSPECTOR) }, async (t) => {
  const place = createPlace(t);
  const us = [process.execPath, LAUNCHER, "mcp", "--tools", "*"];
  const called = await inspect(
    t,
    us,
    ["--method", "tools/call", "--tool-name", "think", "--tool-arg", "thought=hello"],
    place,
  );
  assert.equal(called.code, 0, called.stderr);
  assert.match(called.stdout, /Noted\./);
  for (const method of isLong ? ["resources/list", "resources/templates/list", "prompts/list"] : []) {
    const { code, stderr } = await inspect(t, us, ["--method", method], place);
    assert.equal(code, 0, stderr);
  }
});

// The official suite has HTTP in a usual run.
if (isLong)
  test("the inspector's command line works against us over HTTP", { skip: without(INSPECTOR) }, async (t) => {
    const place = createPlace(t);
    const { address } = await serveMcp(t, place, ["--tools", "*"]);
    const at = [address.href, "--transport", "http"];
    const listed = await inspect(t, at, ["--method", "tools/list"], place);
    assert.equal(listed.code, 0, listed.stderr);
    const { tools } = JSON.parse(listed.stdout) as { readonly tools: readonly { readonly name: string }[] };
    assert.ok(tools.some(({ name }) => name === "read_file"));
  });
