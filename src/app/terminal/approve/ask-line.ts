import type { Key } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/** The longest time that the terminal takes to deliver pending input. */
const TYPED_AHEAD_MS = 50;

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface Asking {
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal;
  /** Called on Ctrl-C, before the question ends. */
  readonly onInterrupt?: (() => void) | undefined;
  /** Text to start with, for the person to change. */
  readonly prefilled?: string;
  /** Ctrl-O prints what it returns, and the question again. */
  readonly onDetails?: () => string;
  /** What is typed is not shown. */
  readonly isHidden?: boolean;
}

/** Prompts on the terminal and returns the typed line; undefined on Ctrl-C, Ctrl-D and a closed terminal. */
export async function askLine(
  { stdin, stderr }: Terminal,
  question: string,
  { signal, prefilled, onInterrupt, onDetails, isHidden = false }: Asking = {},
): Promise<string | undefined> {
  // Loaded on use: most commands ask nothing.
  const { createInterface } = await import("node:readline/promises");
  const output = isHidden ? await silentOutput() : stderr;
  if (isHidden) stderr.write(question);
  const reader = createInterface({ input: stdin, output, terminal: true });
  const gone = new AbortController();
  reader.on("SIGINT", () => {
    onInterrupt?.();
    gone.abort();
  });
  reader.on("close", () => gone.abort());
  const pressed = (_text: string | undefined, { ctrl, name }: Key): void => {
    if (onDetails === undefined || ctrl !== true || name !== "o") return;
    stderr.write(onDetails());
    reader.prompt(true);
  };
  stdin.on("keypress", pressed);
  const ends = signal === undefined ? gone.signal : AbortSignal.any([signal, gone.signal]);
  try {
    const answered = reader.question(question, { signal: ends });
    if (prefilled !== undefined) reader.write(prefilled);
    const answer = await answered;
    if (isHidden) stderr.write("\n");
    return answer;
  } catch {
    stderr.write("\n");
    return undefined;
  } finally {
    stdin.off("keypress", pressed);
    reader.close();
  }
}

/** Returns an output that shows nothing of what the line editor writes. */
async function silentOutput(): Promise<NodeJS.WritableStream> {
  const { Writable } = await import("node:stream");
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** Discards what was typed before the question was shown: it is no answer to it. */
export async function dropTypedAhead({ stdin }: Terminal): Promise<void> {
  const drop = (): void => undefined;
  stdin.setRawMode(true);
  stdin.on("data", drop);
  await wait(TYPED_AHEAD_MS);
  stdin.off("data", drop);
  stdin.pause();
  stdin.setRawMode(false);
}
