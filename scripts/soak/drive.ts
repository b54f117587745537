import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { createCall, type SoakCall } from "./calls.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** What all runs share. */
export interface Soak {
  readonly world: World;
  readonly random: Random;
  readonly calls: SoakCall[];
  kills: number;
  /** The time until which an answer may be missing in the journal because the disk was full. */
  fullUntil: number;
  readonly violate: (what: string) => void;
}

const MAX_CALLS = 40;
/** A program that takes longer for its calls hangs. */
const HANG_MS = 120_000;

/** How calls are sent to a program, and how its answers are read. */
interface Form {
  readonly args: readonly string[];
  readonly greeting: readonly object[];
  toMessage(call: SoakCall): object;
  /** Returns the id and the outcome of an answer; undefined for another message. */
  fromMessage(
    message: Readonly<Record<string, unknown>>,
  ): { readonly id: string; readonly ok: boolean } | undefined;
}

export const BATCH: Form = {
  args: ["batch", "--mode", "yolo", "--parallel", "4"],
  greeting: [],
  toMessage: ({ id, name, input }) => ({ id, name, input }),
  fromMessage: ({ callId, ok }) => ({ id: String(callId), ok: ok === true }),
};

export const GATEWAY: Form = {
  args: ["mcp", "--mode", "yolo"],
  greeting: [
    {
      jsonrpc: "2.0",
      id: "greeting",
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "soak", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ],
  toMessage: ({ id, name, input }) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: input },
  }),
  fromMessage({ id, method, result, error }) {
    if (method !== undefined || id === "greeting") return undefined;
    return { id: String(id), ok: error === undefined && (result as { isError?: boolean })?.isError !== true };
  },
};

/** Starts a program, sends it random calls, and kills it or a process below it at a random moment. */
export async function runProgram(soak: Soak, form: Form, prefix: string): Promise<void> {
  const { world, random } = soak;
  const startedAt = Date.now();
  const child = world.start(form.args);
  const ended = once(child, "close");
  child.stdin?.on("error", () => undefined);
  const count = random.between(5, MAX_CALLS);
  const sent = Array.from({ length: count }, (_, index) => createCall(`${prefix}-${index}`, world, random));
  soak.calls.push(...sent);
  const answered = readAnswers(soak, child, form, new Map(sent.map((call) => [call.id, call])));
  const killing = killSometimes(soak, child);
  for (const message of [...form.greeting, ...sent.map((call) => form.toMessage(call))])
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  // A gateway ends with its input, whatever is running: the answers come first.
  const hang = AbortSignal.timeout(HANG_MS);
  await Promise.race([ended, answered, once(hang, "abort")]);
  if (hang.aborted)
    soak.violate(`${form.args[0]} hangs with ${sent.filter((one) => one.ok === undefined).length} calls`);
  child.stdin?.end();
  if (hang.aborted) child.kill("SIGKILL");
  await ended;
  await killing;
  const wasFull = startedAt < soak.fullUntil;
  const open = sent.filter((one) => one.ok === undefined).length;
  const end = child.signalCode ?? child.exitCode;
  // With a full disk a gateway cannot open its store; its client is told by the exit code.
  const mayExit = form === GATEWAY && typeof end === "number" && end !== 0 && wasFull;
  const isCrash = typeof end === "string";
  // Whatever is killed here is killed with SIGKILL.
  if (end !== "SIGKILL" && (isCrash || open > 0) && !mayExit)
    soak.violate(`${form.args[0]} ended with ${end} and ${open} calls open`);
}

/** Resolves when every call is answered; never, if some are not. */
async function readAnswers(
  soak: Soak,
  child: ChildProcess,
  form: Form,
  calls: ReadonlyMap<string, SoakCall>,
): Promise<void> {
  let left = calls.size;
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = form.fromMessage(JSON.parse(line) as Readonly<Record<string, unknown>>);
    if (answer === undefined) continue;
    const call = calls.get(answer.id);
    if (call === undefined) soak.violate(`an answer to the unknown call ${answer.id}`);
    else if (call.ok !== undefined) soak.violate(`a second answer to ${answer.id}`);
    else {
      call.ok = answer.ok;
      call.isNearFull = Date.now() < soak.fullUntil;
      left -= 1;
    }
    if (left === 0) return;
  }
  await new Promise(() => undefined);
}

async function killSometimes(soak: Soak, child: ChildProcess): Promise<void> {
  const { random } = soak;
  const kind = random.pick(["program", "program", "below", "below", "none"]);
  if (kind === "none" || child.pid === undefined) return;
  await wait(random.between(100, 3000));
  if (child.exitCode !== null || child.signalCode !== null) return;
  const pids = kind === "program" ? [child.pid] : descendants(child.pid);
  if (pids.length === 0) return;
  try {
    process.kill(random.pick(pids), "SIGKILL");
    soak.kills += 1;
  } catch {
    // It has ended.
  }
}

function descendants(pid: number): readonly number[] {
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
