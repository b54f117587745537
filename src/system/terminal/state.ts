import type { IPty } from "@lydell/node-pty";
import type { Mark } from "./scan.ts";
import { createMarkScanner } from "./scan.ts";

/** Of what is printed while nobody reads, so many characters are kept. */
const UNREAD_CHARACTERS = 64 * 1024;

/** How a command in a terminal ended; `isOver` where the terminal's shell ended with it. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly isOver: boolean;
}

export interface RunningCommand {
  readonly number: number;
  readonly text: string;
  readonly ended: Promise<CommandEnd>;
}

/** Takes what is printed, in order; while its promise is open the terminal is held back. */
export type OnText = (text: string) => void | Promise<void>;

/** What is known of a terminal's shell from what it prints. */
export interface TerminalState {
  /** True when the shell has come up, false when it ended before. */
  readonly ready: Promise<boolean>;
  /** Settles when the shell has ended and all it printed is read. */
  readonly over: Promise<void>;
  readonly isOver: () => boolean;
  readonly running: () => RunningCommand | undefined;
  folder(): string;
  /** How many commands have begun. */
  count(): number;
  /** Notes that a command begins. */
  begin(text: string): RunningCommand;
  /** Leaves a line out of what is printed, where the terminal echoes it. */
  hide(line: string): void;
  readonly read: (onText: OnText) => () => void;
}

export function createTerminalState(pty: IPty, token: string): TerminalState {
  const scanner = createMarkScanner(token);
  const reader = createReader(pty);
  const ready = Promise.withResolvers<boolean>();
  const over = Promise.withResolvers<void>();
  let isReady = false;
  let isOver = false;
  let number = 0;
  let folder = "";
  let hidden = "";
  let current: (RunningCommand & { readonly end: (end: CommandEnd) => void }) | undefined;
  const finish = (end: CommandEnd): void => {
    current?.end(end);
    current = undefined;
  };
  const take = (mark: Mark): void => {
    folder = mark.folder;
    isReady = true;
    ready.resolve(true);
    // A prompt that follows stray input names an earlier command.
    if (mark.command === number) finish({ exitCode: mark.exitCode, signal: null, isOver: false });
  };
  pty.onData((chunk) => {
    const wasReady = isReady;
    const { text, marks } = scanner.push(chunk);
    if (wasReady) reader.add(hidden === "" ? text : text.replace(hidden, ""));
    for (const mark of marks) take(mark);
  });
  pty.onExit(({ exitCode, signal }) => {
    isOver = true;
    reader.add(scanner.end());
    ready.resolve(false);
    finish({ exitCode: signal ? null : exitCode, signal: signal ? signalName(signal) : null, isOver: true });
    over.resolve();
  });
  return {
    ready: ready.promise,
    over: over.promise,
    isOver: () => isOver,
    running: () => current,
    folder: () => folder,
    count: () => number,
    begin(text) {
      const { promise, resolve } = Promise.withResolvers<CommandEnd>();
      number += 1;
      current = { number, text, ended: promise, end: resolve };
      return current;
    },
    hide: (line) => {
      hidden = line;
    },
    read: reader.read,
  };
}

function signalName(number: number): string {
  const { constants } = process.getBuiltinModule("node:os");
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? String(number);
}

interface Reader {
  add(text: string): void;
  readonly read: (onText: OnText) => () => void;
}

/** Hands text to whoever reads; keeps the end of it for the next reader while nobody does. */
function createReader(pty: IPty): Reader {
  let unread = "";
  let reader: OnText | undefined;
  let holds = 0;
  const release = (): void => {
    holds -= 1;
    if (holds === 0) pty.resume();
  };
  const hand = (text: string, onText: OnText): void => {
    const taking = onText(text);
    if (taking === undefined) return;
    holds += 1;
    pty.pause();
    taking.then(release, release);
  };
  return {
    add(text) {
      if (text === "") return;
      if (reader !== undefined) hand(text, reader);
      else unread = (unread + text).slice(-UNREAD_CHARACTERS);
    },
    read(onText) {
      reader = onText;
      if (unread !== "") hand(unread, onText);
      unread = "";
      return () => {
        if (reader === onText) reader = undefined;
      };
    },
  };
}
