import { failingAt } from "../support/faults/failing-system.ts";
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createPlace, runCli, withoutProc, type Finished, type Place } from "../flows/support/cli.ts";
import { attempt } from "../../src/util/async/attempt.ts";
import { contentsOf } from "../support/files/folder-contents.ts";
import { rawHttp } from "../support/servers/mcp-http.ts";
import { isLong } from "../support/property-runs.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { schemaOf, shellTool, writeProgram } from "../support/programs/programs.ts";

/** Leaves a process behind in each of the usual ways. */
const LEAVES = "{ sleep 1000 & nohup sleep 1000 & (setsid sleep 1000 &) } >/dev/null 2>&1";

interface Flow {
  readonly name: string;
  readonly arrange?: (place: Place, t: TestContext) => void | Promise<void>;
  readonly args: readonly string[];
  readonly input?: string;
  /** How many answers are printed. */
  readonly answers?: number;
  /** The files of the workspace after the flow, if it changes any. */
  readonly after?: Readonly<Record<string, string>>;
}

const BEFORE = { "a.txt": "old\n" };
const YOLO = ["--mode", "yolo", "--json"];

const FLOWS: readonly Flow[] = [
  { name: "a command", args: ["call", "shell", `command=echo x; ${LEAVES}`, ...YOLO] },
  {
    name: "a command that opens its output by name",
    args: ["call", "shell", "command=echo x >/dev/stderr", ...YOLO],
  },
  { name: "a proven command in a sandbox", args: ["call", "shell", "command=cat a.txt", "--json"] },
  { name: "a search", args: ["call", "grep", "pattern=old", ...YOLO] },
  {
    name: "a change of a file",
    args: ["call", "write_file", "path=b/c.txt", "content=new", ...YOLO],
    after: { "a.txt": "old\n", "b/c.txt": "new" },
  },
  {
    name: "calls in the background",
    args: ["batch", "--mode", "yolo"],
    input: [
      { name: "shell", input: { command: LEAVES, background: true } },
      { name: "shell", input: { command: "sleep 1000", background: true } },
      { name: "view_background_processes", input: {} },
    ]
      .map((call) => `${JSON.stringify(call)}\n`)
      .join(""),
    answers: 3,
  },
  {
    name: "an external tool",
    arrange: (place) =>
      void writeProgram(
        join(place.home, "tools"),
        "own",
        shellTool(schemaOf("own"), `${LEAVES}\necho '{"a": 1}'`),
      ),
    args: ["call", "own", ...YOLO],
  },
  {
    name: "an MCP server that is a program",
    arrange(place, t) {
      const { command, args } = rawServer(t, { tools: [toolOf("echo")] }).server;
      const script = `${LEAVES}\nexec "$@"`;
      configure(place, { raw: { command: "/bin/sh", args: ["-c", script, "sh", command, ...args] } });
    },
    args: ["call", "raw__echo", ...YOLO],
  },
  {
    name: "an MCP server at a URL",
    arrange: async (place, t) => configure(place, { web: { url: (await rawHttp(t)).server.url } }),
    args: ["call", "web__echo", ...YOLO],
  },
];

function configure({ home }: Place, mcpServers: object): void {
  writeFileSync(join(home, "config.json"), JSON.stringify({ mcpServers }));
}

/** The long tests fail every system call in turn. */
const STEP = isLong ? 1 : 13;

for (const flow of FLOWS)
  test(
    `${flow.name}: if any system call fails, it is answered, nothing is left, and the next call works`,
    { skip: withoutProc },
    (t) => tryFaults(t, flow),
  );

async function tryFaults(t: TestContext, flow: Flow): Promise<void> {
  const place = createPlace(t);
  const temporary = join(place.home, "tmp");
  mkdirSync(temporary);
  await flow.arrange?.(place, t);
  const usual = tmpdir();
  process.env["TMPDIR"] = temporary;
  t.after(() => (process.env["TMPDIR"] = usual));
  const run = (): Promise<Finished> =>
    runCli(place, flow.args, flow.input === undefined ? {} : { input: flow.input });
  const reset = (): void => {
    rmSync(join(place.folder, "b"), { recursive: true, force: true });
    for (const [name, text] of Object.entries(BEFORE)) place.write(name, text);
  };
  const check = (finished: Finished, at: string): void => {
    const { stdout, stderr, code } = finished;
    const shown = `${at}: ${code}\n${stdout}${stderr}`;
    assert.ok(!stderr.includes("internal error"), shown);
    const answers = stdout.split("\n").filter((line) => line !== "");
    // A program that cannot open its store or config runs no call, and says so.
    if (answers.length > 0) assert.equal(answers.length, flow.answers ?? 1, shown);
    else assert.match(stderr, /^toolwright: /m, shown);
    assert.deepEqual(processesOf(place), [], shown);
    assert.deepEqual(readdirSync(temporary), [], shown);
    assert.deepEqual(openedIn(temporary), [], shown);
    const isChanged = flow.after !== undefined && existsSync(join(place.folder, "b"));
    if (code === 0) assert.equal(isChanged, flow.after !== undefined, shown);
    assert.deepEqual(contentsOf(place.folder), isChanged ? flow.after : BEFORE, shown);
  };
  // The first run loads modules and fills caches.
  for (const first of [1, 2]) {
    reset();
    const { code, stderr } = await run();
    assert.equal(code, 0, `run ${first}: ${stderr}`);
  }
  for (let n = STEP; ; n += STEP) {
    reset();
    // A new store each time, so that the calls are the same.
    rmSync(join(place.home, "state"), { recursive: true, force: true });
    const { value, calls } = await failingAt(n, run);
    const at = `call ${n}, ${calls[n - 1]}, fails`;
    check(value, at);
    reset();
    const next = await run();
    check(next, `after ${at}`);
    assert.equal(next.code, 0, `after ${at}: ${next.stderr}`);
    const { stdout: journal } = await runCli(place, ["trace", "--json"]);
    assert.doesNotMatch(journal, /"state":\s*"(?:open|interrupted)"/, `after ${at}`);
    if (calls.length < n) {
      assert.equal(value.code, 0, value.stderr);
      assert.ok(calls.length > 10, "the calls were counted");
      t.diagnostic(`${calls.length} calls`);
      return;
    }
  }
}

/** Returns the files in a folder, also removed ones, that this process has open. */
function openedIn(folder: string): readonly string[] {
  const links = readdirSync("/proc/self/fd").map((name) =>
    attempt(() => readlinkSync(`/proc/self/fd/${name}`)),
  );
  return links.filter((path) => path?.startsWith(folder) === true).map(String);
}

/** Returns the command lines of all processes that were started for a place, found by a variable that only they have. */
function processesOf({ home }: Place): readonly string[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1").replaceAll("\0", "\n");
    } catch {
      return "";
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => read(pid, "environ").includes(`HOME=${home}\n`))
    .map((pid) => read(pid, "cmdline"));
}
