import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadConfig } from "../../src/app/config/config.ts";
import { chooseSandbox } from "../../src/app/host/sandbox/sandbox.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { pythonAction } from "../../src/tools/python/python-action.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { call, codeOf, textOf } from "../support/engines/engine.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createPlace, runCli } from "./support/cli.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";
const ALLOW: Policy = { judge: () => ({ kind: "allow", reason: "a test", rule: "test" }) };

async function open(t: TestContext, sandbox: "none" | "bubblewrap") {
  const home = temporaryFolder(t);
  const root = temporaryFolder(t);
  const variables = { PATH: process.env["PATH"] ?? "", HOME: home };
  const config = loadConfig({ sandbox, store: ":memory:" }, { cwd: root, variables, userHome: home });
  const chosen = await chooseSandbox(config, undefined);
  const engine = createEngine({
    policy: ALLOW,
    tools: [pythonAction({ root, home, environment: variables })],
    ...(chosen.sandbox !== undefined && { executors: [chosen.sandbox.executor] }),
  });
  t.after(() => engine.close());
  const python = (code: string, signal?: AbortSignal): Promise<ToolResult> => {
    const input = { action: "execute", code, timeout_seconds: 300 };
    return engine.run(call("python_action", input), { session: "one", ...(signal && { signal }) });
  };
  return { engine, root, home, python };
}

for (const [place, sandbox, skip] of [
  ["host", "none", false],
  ["sandbox", "bubblewrap", withoutBoxes],
] as const) {
  test(
    `Python on the ${place}: variables, exceptions, images, cancelling and the end of the session`,
    { skip },
    async (t) => {
      const { engine, root, home, python } = await open(t, sandbox);
      const first = await python("import os, time, base64\nx = 41\nprint('hello')");
      assert.equal(textOf(first), "hello");
      assert.equal(first.meta.place, place);
      assert.equal(textOf(await python("x + 1")), "42");
      assert.match(
        textOf(await python("y = 1\nx / 0")),
        /File "<cell 3>", line 2, in <module>\n[^]*ZeroDivisionError/,
      );

      const drawn = await python(`open('dot.png', 'wb').write(base64.b64decode('${PIXEL}'))`);
      assert.deepEqual(drawn.content[1], { type: "image", data: PIXEL, mimeType: "image/png" });
      assert.ok(existsSync(join(root, "dot.png")));

      const controller = new AbortController();
      const running = python("open('begun', 'w').close()\ntime.sleep(600)", controller.signal);
      await untilTrue("the code runs", () => existsSync(join(root, "begun")));
      controller.abort();
      const cancelled = await running;
      assert.equal(codeOf(cancelled), "CANCELLED");
      assert.match(textOf(cancelled), /goes on with its variables/);
      assert.equal(textOf(await python("x")), "41");

      await python(`open('${home}/made', 'w').close()`);
      assert.equal(existsSync(join(home, "made")), place === "host");
      const failed = textOf(await python("open('/nowhere')"));
      assert.equal(failed.includes("outside_sandbox: true"), place === "sandbox", failed);

      const seconds = `8${process.pid}`;
      await python(`import subprocess\nsubprocess.Popen(['sleep', '${seconds}'], start_new_session=True)`);
      await untilTrue("the program runs", () => runningWith(seconds) === 1);
      await engine.close();
      await untilTrue("nothing is left running", () => runningWith(seconds) + runningWith(root) === 0);
    },
  );
}

test("Python code needs approval as a command does; rules about commands and paths apply to it", async (t) => {
  const place = createPlace(t);
  const args = ["call", "python_action", "action=execute", "code=print(6 * 7)"];
  const refused = await runCli(place, args);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /approv/);
  assert.equal((await runCli(place, [...args, "--yes"])).stdout, "42\n");
  const rules = [{ path: "**/.env", decision: "deny" }];
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  const reading = ["explain", "python_action", "action=execute", "code=print(open('.env').read())"];
  assert.match(
    (await runCli(place, [...reading, "--mode", "yolo"])).stdout,
    /^ask: .* may do what is denied/,
  );
  const listed = await runCli(place, ["call", "python_action", "action=list_sessions"]);
  assert.match(listed.stdout, /no Python session is open/);
});

/** The number of processes with this text in their command line. */
function runningWith(text: string): number {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(text)).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
