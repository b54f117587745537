import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createCall, type More, type SoakCall } from "./calls.ts";
import { GATEWAY, SERVE, type Form, type OnAnswer } from "./forms.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** What all runs share. */
export interface Soak {
  readonly world: World;
  readonly random: Random;
  readonly calls: SoakCall[];
  /** By kind of load. */
  readonly counts: Map<string, Counts>;
  /** The time until which an answer may be missing in the journal because the disk was full. */
  fullUntil: number;
  readonly violate: (what: string, kind?: string) => void;
}

const MAX_CALLS = 40;
/** A program that answers nothing for so long hangs: three attempts of a call take less, and a busy machine takes long for 40 calls. */
const HANG_MS = 120_000;

export interface Counts {
  programs: number;
  calls: number;
  answers: number;
  /** Answers that say that the time of the call was over. */
  timeouts: number;
  kills: number;
  violations: number;
}

/** A kind of load: a program with its arguments, and what it is asked to do. */
export interface Kind {
  readonly name: string;
  readonly form: Form;
  readonly args: (world: World, calls: readonly SoakCall[], prefix: string) => readonly string[];
  readonly more?: More;
  readonly most?: number;
  /** Runs under this program, which is not what is killed. */
  readonly under?: readonly string[];
}

/** Starts a program, sends it random calls, and kills it or a process below it at a random moment. */
export async function runProgram(soak: Soak, kind: Kind, prefix: string): Promise<void> {
  const { world, random } = soak;
  const { form, most = MAX_CALLS } = kind;
  const startedAt = Date.now();
  const count = random.between(5, most);
  const sent = Array.from({ length: count }, (_, index) =>
    createCall(`${prefix}-${index}`, world, random, kind.more),
  );
  soak.calls.push(...sent);
  const counts = countsOf(soak, kind.name);
  counts.programs += 1;
  counts.calls += count;
  const child = world.start(kind.args(world, sent, prefix), { under: kind.under });
  const ended = once(child, "close");
  child.stdin?.on("error", () => undefined);
  const killing = killSometimes(soak.random, child, kind);
  const hang = createHang();
  await Promise.race([ended, driven(soak, child, form, { sent, onProgress: hang.postpone }), hang.begun]);
  const openCalls = (): readonly SoakCall[] =>
    form.answers ? sent.filter(({ ok }) => ok === undefined) : [];
  const open = (): number => openCalls().length;
  const isHanging = hang.end();
  if (isHanging) {
    const names = openCalls().map(({ id, name, input }) => `${id} ${name} ${JSON.stringify(input)}`);
    soak.violate(`${kind.name} hangs with ${open()} calls: ${names.join(", ")}`, kind.name);
  }
  child.stdin?.end();
  if (form === SERVE) child.kill("SIGTERM");
  if (isHanging) child.kill("SIGKILL");
  await ended;
  if (await killing) counts.kills += 1;
  counts.answers += sent.filter((one) => one.ok !== undefined).length;
  counts.timeouts += sent.filter(({ fault = "" }) => TIMED_OUT.test(fault)).length;
  const end = child.signalCode ?? child.exitCode;
  if (!isExpected(kind, end, open(), startedAt < soak.fullUntil))
    soak.violate(`${kind.name} ended with ${end} and ${open()} calls open`, kind.name);
}

const TIMED_OUT = /^TOOL_TIMEOUT|^Error: .* timed out after/;

/** Waits for a time without an answer. */
function createHang() {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  let isHanging = false;
  const timer = setTimeout(() => {
    isHanging = true;
    resolve();
  }, HANG_MS);
  return {
    begun,
    postpone: (): void => void timer.refresh(),
    /** Returns whether the time is over. */
    end(): boolean {
      clearTimeout(timer);
      return isHanging;
    },
  };
}

function isExpected(
  { form, under }: Kind,
  end: string | number | null,
  open: number,
  wasFull: boolean,
): boolean {
  // Whatever is killed here is killed with SIGKILL, and what runs under a program ends as a shell says it.
  if (end === "SIGKILL" || (under !== undefined && end === 137)) return true;
  // With a full disk a server cannot open its store; its client is told by the exit code.
  if ((form === GATEWAY || form === SERVE) && typeof end === "number" && end !== 0 && wasFull) return true;
  return typeof end !== "string" && open === 0;
}

export function countsOf({ counts }: Pick<Soak, "counts">, name: string): Counts {
  const count = counts.get(name) ?? {
    programs: 0,
    calls: 0,
    answers: 0,
    timeouts: 0,
    kills: 0,
    violations: 0,
  };
  counts.set(name, count);
  return count;
}

/** Resolves when every call is answered; never, if some are not. */
async function driven(
  soak: Soak,
  child: ChildProcess,
  { drive }: Form,
  { sent, onProgress }: { readonly sent: readonly SoakCall[]; readonly onProgress: () => void },
): Promise<void> {
  const calls = new Map(sent.map((call) => [call.id, call]));
  let left = calls.size;
  const done = Promise.withResolvers<void>();
  const onAnswer: OnAnswer = ({ id, ok, fault, mayHaveRun = false }) => {
    const call = calls.get(id);
    if (call === undefined) return soak.violate(`an answer to the unknown call ${id}`);
    if (call.ok !== undefined) return soak.violate(`a second answer to ${id}`);
    onProgress();
    call.ok = ok;
    call.fault = fault;
    call.mayHaveRun = mayHaveRun;
    call.isNearFull = Date.now() < soak.fullUntil;
    left -= 1;
    if (left === 0) done.resolve();
  };
  // A connection that breaks is that of a program that was killed.
  drive(child, sent, onAnswer).catch(() => undefined);
  await done.promise;
}

/** Returns true if something was killed. */
async function killSometimes(random: Random, child: ChildProcess, { under }: Kind): Promise<boolean> {
  const kind = random.pick(["program", "program", "below", "below", "none"]);
  if (kind === "none" || child.pid === undefined) return false;
  await wait(random.between(100, 3000));
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const below = descendants(child.pid);
  const program = under === undefined ? [child.pid] : below.slice(0, 1);
  const pids = kind === "program" ? program : below;
  if (pids.length === 0) return false;
  const pid = random.pick(pids);
  const isKilled = tryKill(pid, "SIGKILL");
  // A program that traces others runs until all have ended, also what the next start of Toolwright is to end.
  if (under !== undefined && pid === below[0]) child.kill("SIGKILL");
  return isKilled;
}

/** Returns false for a process that has ended. */
export function tryKill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Returns the processes below a process, nearest first. */
export function descendants(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .trim()
        .split(" ")
        .filter(Boolean)
        .map(Number),
    );
    return children.flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}
