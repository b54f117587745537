import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { MARKER, createMarker, recordStart } from "./marker.ts";
import { readOutput, type Decoder, type OnOutput, type Outputs } from "./output.ts";
import type { Roster } from "./roster.ts";
import {
  assertDescriptors,
  closeWriters,
  createNamedPipes,
  descriptorsFor,
  type NamedPipe,
} from "./pipes.ts";
import { endRest, endTree, untilRestEnds } from "./tree.ts";
import { feed, feedExtra, FIRST_INPUT, type StandardInput } from "./feed.ts";
import { isScarce, startFault } from "./start-fault.ts";

export interface ProcessOptions {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: empty. */
  readonly stdin?: StandardInput;
  /** Further inputs, which the program reads from its descriptors 3 and up. */
  readonly inputs?: readonly Uint8Array[];
  readonly signal?: AbortSignal;
  /** The time between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** After the end, how long to wait for output on a pipe that another process holds open. */
  readonly drainMs?: number;
  /** Allows the process to reopen its outputs by name, as `/dev/stderr`; takes a few milliseconds. */
  readonly namedPipes?: boolean;
  /** Allows this process to exit while the program runs. */
  readonly isDetached?: boolean;
  /** Records the program until nothing of it runs. */
  readonly roster?: Roster | undefined;
  /**
   * What happens to processes that the program leaves behind when it ends: they are ended (default), awaited or ignored. `none`: it starts
   * no others; on an abort it is killed alone.
   */
  readonly rest?: "end" | "await" | "ignore" | "none";
  /** Called once with the pid and the marker, as soon as the process has started. */
  readonly onStart?: (pid: number, marker: string) => void;
  /** Called when the program has ended, before what it left behind. */
  readonly onExit?: () => void;
  readonly onOutput: OnOutput;
  /** Decodes standard output; default: UTF-8. */
  readonly decode?: () => Decoder;
  /** Called when standard output has ended, possibly before the process. */
  readonly onStdoutEnd?: () => void;
}

const GRACE_MS = 1000;
const DRAIN_MS = 250;

/** What a program has as an input or output: nothing, a pipe to this process, or an open file. */
type Stdio = "ignore" | "pipe" | number;

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The number of processes that it left behind and that were ended. */
  readonly left?: number;
}

/** Returns how a process ended, as the end of a sentence about it. */
export function describeEnd({ exitCode, signal }: Pick<ProcessEnd, "exitCode" | "signal">): string {
  return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
}

/**
 * Runs a program in its own session and process group. Resolves when it has ended, its output is read and what it left behind has
 * ended too: see `rest`. When the signal is aborted, terminates and then kills everything it started; the caller checks the signal. Uses
 * limited memory. Throws a `ToolError` if the program cannot be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const marker = createMarker();
  // Before the start: a crash right after it leaves a record.
  const entry = options.roster?.add(marker);
  const marked = { ...options, env: { ...options.env, [MARKER]: marker } };
  const started = await startWhenPossible(marked).catch((error: unknown) => {
    entry?.ended();
    throw error;
  });
  entry?.started(started.pid);
  const forget = recordStart(started.pid);
  running += 1;
  return attend(started, options, marker, () => {
    forget();
    entry?.ended();
  }).finally(() => {
    running -= 1;
  });
}

/** The number of programs that run. */
let running = 0;

/** How long a program that lacks files, processes or memory waits for others to end. */
const SCARCE_MS = 2000;
const RETRY_MS = 20;

/** Starts the program. While others run, which give back what they use, tries again for a short time. */
async function startWhenPossible(options: ProcessOptions): Promise<Started> {
  for (const until = performance.now() + SCARCE_MS; ;) {
    try {
      return await start(options);
    } catch (error) {
      const isOver = running === 0 || options.signal?.aborted === true || performance.now() > until;
      if (isOver || !isScarce(error)) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}

/** Calls `onGone` when nothing of the program runs any more; not if that cannot be found out. */
async function attend(
  { child, pid, ...outputs }: Started,
  options: ProcessOptions,
  marker: string,
  onGone: () => void,
): Promise<ProcessEnd> {
  const { signal, graceMs = GRACE_MS, drainMs = DRAIN_MS, rest = "end" } = options;
  const ended = endOf(child);
  const output = readOutput(outputs, options.onOutput, options.decode);
  if (options.onStdoutEnd !== undefined) void output.stdoutEnded.then(options.onStdoutEnd);
  options.onStart?.(pid, marker);
  let ending: Promise<unknown> | undefined;
  const abort = (): void => {
    if (rest === "none") child.kill("SIGKILL");
    else ending = endTree(pid, graceMs, marker);
  };
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    feed(child, options.stdin);
    const end = await Promise.race([ended, output.failed]);
    options.onExit?.();
    await ending;
    if (rest === "await") await Promise.race([untilRestEnds(pid, marker), output.failed]);
    await Promise.race([output.finish(drainMs), output.failed]);
    await ending;
    const left = rest === "end" ? await endRest(pid, graceMs, marker) : 0;
    onGone();
    return left === 0 ? end : { ...end, left };
  } catch (error) {
    await (ending ?? endTree(pid, graceMs, marker));
    onGone();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    output.close();
  }
}

async function start(options: ProcessOptions): Promise<Started> {
  const pipes = options.namedPipes === true ? await createNamedPipes(options.env) : [];
  try {
    return await spawnWith(pipes, options);
  } catch (error) {
    for (const { reader } of pipes) reader.destroy();
    options.signal?.throwIfAborted();
    throw startFault(options, error);
  } finally {
    closeWriters(pipes);
  }
}

async function spawnWith(pipes: readonly NamedPipe[], options: ProcessOptions): Promise<Started> {
  // Loaded on first use, because it is slow to load.
  const { spawn } = await import("node:child_process");
  options.signal?.throwIfAborted();
  const [stdout, stderr] = pipes;
  const stdio: readonly Stdio[] = [
    inputOf(options.stdin),
    stdout?.writer ?? "pipe",
    stderr?.writer ?? "pipe",
    ...(options.inputs ?? []).map(() => "pipe" as const),
  ];
  assertDescriptors(descriptorsFor(stdio.filter((one) => one === "pipe").length));
  const { file, args = [], cwd, env } = options;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] });
  const { pid } = child;
  if (pid === undefined) throw await errorOf(child);
  for (const [index, input] of (options.inputs ?? []).entries())
    feedExtra(child.stdio[FIRST_INPUT + index], input);
  const outputs = { stdout: stdout?.reader ?? child.stdout, stderr: stderr?.reader ?? child.stderr };
  if (options.isDetached === true) detach(child, outputs);
  return { child, pid, ...outputs };
}

function detach(child: ChildProcess, { stdout, stderr }: Outputs): void {
  child.unref();
  for (const stream of [stdout, stderr]) {
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

function inputOf(stdin: StandardInput | undefined): Stdio {
  if (typeof stdin === "number") return stdin;
  return stdin === undefined ? "ignore" : "pipe";
}

function errorOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", resolve);
  });
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
}
