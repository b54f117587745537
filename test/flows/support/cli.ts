import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { TestContext } from "node:test";
import type * as Program from "../../../src/app/cli/main.ts";
import { loadProgram } from "./load-program.ts";

export const LAUNCHER = resolve("bin/toolwright.js");
/** The built program, which is what users run. */
const { main } = loadProgram("main.js") as typeof Program;

/** A folder to call tools in, and a home of its own; both are removed after the test. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly write: (name: string, text: string) => void;
}

export function createPlace(t: TestContext): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-cli-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [folder, home] = [mkdtempSync(join(root, "work-")), mkdtempSync(join(root, "home-"))];
  return { folder, home, write: (name, text) => writeFileSync(join(folder, name), text) };
}

export interface CliOptions {
  /** The text of standard input (default: empty). */
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** The Node that runs the launcher (default: this one). */
  readonly node?: string;
  /** A program, with its arguments, that runs the Node. */
  readonly under?: readonly string[];
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Runs the command line in this process, as its own entry file does. For what only a process has, use `runProcess`. */
export async function runCli(
  place: Place,
  args: readonly string[],
  options?: InputOptions,
): Promise<Finished> {
  return startRun(place, args, options).finished;
}

type InputOptions = Pick<CliOptions, "input" | "environment">;

/** A command in this process. */
export interface RunningHere {
  readonly finished: Promise<Finished>;
  /** What standard output and error have shown so far. */
  readonly shown: { readonly stdout: string; readonly stderr: string };
  /** Asks it, and nothing else in this process, to end. */
  readonly terminate: () => void;
}

/** Like `runCli`, for a command that serves or waits. */
export function startRun(
  place: Place,
  args: readonly string[],
  { input = "", environment = {} }: InputOptions = {},
): RunningHere {
  if (environment["NODE_OPTIONS"] !== undefined) throw new Error("NODE_OPTIONS need a process: runProcess");
  const startedAt = performance.now();
  const [stdout, stderr] = [new CollectingStream(), new CollectingStream()];
  const own = { folder: place.folder, environment: environmentOf(place, environment) };
  const { ended, terminate } = startMain(own, args, { stdin: Readable.from([input]), stdout, stderr });
  const shown = {
    get stdout() {
      return stdout.text();
    },
    get stderr() {
      return stderr.text();
    },
  };
  const finished = ended.then((code) => {
    return { code, signal: null, ...shown, durationMs: performance.now() - startedAt };
  });
  return { finished, shown, terminate };
}

/** Starts the command line in this process with these streams. `ended` resolves with the exit code. */
export function startMain(
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
  args: readonly string[],
  {
    stdin,
    stdout,
    stderr,
  }: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable },
): Pick<RunningHere, "terminate"> & { readonly ended: Promise<number> } {
  const signals = new EventEmitter();
  const own = Object.assign(signals, {
    argv: [process.execPath, LAUNCHER],
    env: environment,
    cwd: () => folder,
    // The program uses nothing else of the streams unless they are terminals.
    stdin: Object.assign(stdin, { isTTY: false }) as unknown as NodeJS.ReadStream,
    stdout: Object.assign(stdout, { isTTY: false }) as unknown as NodeJS.WriteStream,
    stderr: Object.assign(stderr, { isTTY: false }) as unknown as NodeJS.WriteStream,
  });
  return { ended: main(args, own), terminate: () => void signals.emit("SIGTERM", "SIGTERM") };
}

/** Keeps what is written to it. */
export class CollectingStream extends Writable {
  readonly #chunks: Buffer[] = [];
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

export function environmentOf(
  { home }: Place,
  given: CliOptions["environment"] = {},
): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, TOOLWRIGHT_HOME: home, ...given };
}

/** Runs the program in a process of its own to its end. */
export async function runProcess(
  place: Place,
  args: readonly string[],
  options: CliOptions = {},
): Promise<Finished> {
  const running = startCli(place, args, options);
  running.child.stdin?.end(options.input ?? "");
  return running.finished;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** What standard output and error have shown so far. */
  readonly shown: { stdout: string; stderr: string };
}

/** Starts the real program and leaves its standard input open. */
export function startCli(place: Place, args: readonly string[], options: CliOptions = {}): Running {
  const { environment = {}, node = process.execPath, under = [] } = options;
  const [program = node, ...rest] = [...under, node, LAUNCHER, ...args];
  const startedAt = performance.now();
  const child = spawn(program, rest, {
    cwd: place.folder,
    env: environmentOf(place, environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const shown = { stdout: "", stderr: "" };
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  const finished = new Promise<Finished>((settle, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      settle({ code, signal, ...shown, durationMs: performance.now() - startedAt }),
    );
  });
  return { child, finished, shown };
}

/** The pids of living processes whose command line contains the text, the program that was asked to run it apart. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const command = commandOf(name);
      return command.includes(text) && !command.includes(LAUNCHER) && !isZombie(name);
    })
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function isZombie(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "")[0] === "Z";
  } catch {
    return true;
  }
}

/** Waits until something holds; fails when it never does. */
export async function until(what: string, holds: () => boolean, limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await wait(20);
  }
}

/** For a test's `skip` option where a Linux process table is needed. */
export const withoutProc: string | false =
  process.platform === "linux" ? false : "needs /proc to see which processes are left";

let marks = 0;

/** A command that runs for ten minutes and can be told from all others. */
export function longCommand(): { readonly command: string; readonly mark: string } {
  marks += 1;
  // All of one length, so that none is the beginning of another.
  const mark = `600.${String(process.pid).padStart(8, "0")}${String(marks).padStart(4, "0")}`;
  return { command: `sleep ${mark}`, mark: `sleep ${mark}` };
}

/** A Node on the PATH, outside node_modules, that is too old to run the program itself. */
function findOldNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  return folders
    .map((folder) => join(folder, "node"))
    .filter((node) => existsSync(node))
    .find((node) => {
      const [major = 0] = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" })
        .stdout.split(".")
        .map(Number);
      return major >= 14 && major < 22;
    });
}

export const oldNode: string | undefined = findOldNode();

/** A folder to put on the PATH, with the program in it under its own name. */
export function programOnPath({ home }: Place): string {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "toolwright"), `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}
