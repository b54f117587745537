import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { isObject } from "../../src/core/json.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { textOf } from "../support/engines/engine.ts";
import { untilTrue } from "../support/running.ts";
import { openBorderHost, type BorderHost } from "../support/sandboxes/border-host.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";

/** Ways to write and to read a file of `/tmp`. */
type Way = (place: Place, file: string, text: string | undefined) => Promise<ToolResult>;

const commandFor = (file: string, text: string | undefined): string =>
  text === undefined ? `cat ${file}` : `echo ${text} > ${file}`;

const command: Way = ({ run }, file, text) => run("shell", { command: commandFor(file, text) });

const WAYS: Readonly<Record<string, Way>> = {
  command,
  "a command without approval": (place, file, text) =>
    command({ ...place, run: place.runUnattended }, file, text),
  "a read-only sandbox with a rule": async (place, file, text) => {
    const { host } = place;
    host.engine.session("s", { rules: [{ path: file, access: "read", decision: "allow" }] });
    const result = await command({ ...place, run: place.runUnattended }, file, text);
    host.engine.session("s", { rules: [] });
    return result;
  },
  "a command outside the sandbox": ({ run }, file, text) =>
    run("shell", { command: commandFor(file, text), outside_sandbox: true }),
  "a file tool": ({ run }, file, text) =>
    text === undefined ? run("read_file", { path: file }) : run("write_file", { path: file, content: text }),
  Python: ({ run }, file, text) => {
    const code =
      text === undefined ? `print(open("${file}").read())` : `open("${file}", "w").write("${text}")`;
    return run("python_action", { action: "execute", code, timeout_seconds: 60 });
  },
  "a background process": async ({ run }, file, text) => {
    const started = await run("shell", { command: commandFor(file, text), background: true });
    if (!started.ok || !isObject(started.data)) return started;
    const { id } = started.data;
    const show = () => run("view_background_processes", { id });
    await untilTrue("the process has ended", async () => {
      const { ok, data } = { data: undefined, ...(await show()) };
      return ok && isObject(data) && data["state"] === "ended";
    });
    return show();
  },
};

const names = Object.keys(WAYS);

interface Shared {
  readonly writers: readonly string[];
  readonly readers: readonly string[];
}

const UNATTENDED = ["a command without approval", "a read-only sandbox with a rule"];

/** In a config, the ways that share one `/tmp`; every other one is refused, and the refusal names a file to use in its place. */
const SHARED: Readonly<Record<"none" | "bubblewrap", Shared>> = {
  none: {
    writers: names.filter((name) => !UNATTENDED.includes(name)),
    readers: names.filter((name) => name !== "a command without approval"),
  },
  bubblewrap: {
    writers: ["command", "Python", "a background process"],
    readers: ["command", ...UNATTENDED, "Python", "a background process"],
  },
};

for (const sandbox of ["none", "bubblewrap"] as const)
  for (const writer of names)
    test(
      `with the sandbox ${sandbox}, every reader reads what ${writer} writes to /tmp, or is told which path to use`,
      { skip: withoutBoxes },
      async (t) => {
        const { writers, readers } = SHARED[sandbox];
        const place = await openUnattended(t, sandbox);
        for (const reader of names) {
          const file = `/tmp/toolwright-border-${process.pid}-${names.indexOf(writer)}-${names.indexOf(reader)}`;
          t.after(() => rmSync(file, { force: true }));
          const text = `text-of-${names.indexOf(writer)}`;
          const written = await wayOf(writer)(place, file, text);
          if (!writers.includes(writer)) {
            assertRefused(written, place, file);
            continue;
          }
          assert.ok(written.ok, `${writer}: ${textOf(written)}`);
          const read = await wayOf(reader)(place, file, undefined);
          if (readers.includes(reader)) assert.ok(textOf(read).includes(text), `${reader}: ${textOf(read)}`);
          else assertRefused(read, place, file);
        }
      },
    );

function wayOf(name: string): Way {
  return WAYS[name] ?? assert.fail(name);
}

function assertRefused(result: ToolResult, { workspace }: BorderHost, file: string): void {
  assert.ok(!result.ok, textOf(result));
  const { code, hint, details } = result.error;
  assert.equal(code, "DENIED");
  const rule = isObject(details) ? details["rule"] : undefined;
  // In the sandbox, a command that writes is a question as anywhere in the workspace.
  if (rule === "mode.auto.high") return;
  assert.equal(rule, "workspace-boundary");
  assert.ok(hint?.includes(join(workspace, basename(file))), hint);
}

/** A place in which a call can also be one that nobody approves. */
interface Place extends BorderHost {
  readonly runUnattended: BorderHost["run"];
}

async function openUnattended(t: TestContext, sandbox: "none" | "bubblewrap"): Promise<Place> {
  let isAttended = true;
  const place = await openBorderHost(t, { sandbox, mode: "auto" }, () =>
    isAttended ? { approved: true, scope: "once" } : { approved: false, reason: "nobody can answer" },
  );
  return {
    ...place,
    async runUnattended(...given) {
      isAttended = false;
      const result = await place.run(...given);
      isAttended = true;
      return result;
    },
  };
}
