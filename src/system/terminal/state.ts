import type { IPty } from "@lydell/node-pty";
import { createPromptScanner, type Mark } from "./scan.ts";

/** The number of unread characters that are stored. */
const UNREAD_CHARACTERS = 64 * 1024;

/** How a command in a terminal ended; `isOver` if the shell ended too. */
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

/** Receives output in order; the terminal is paused while its promise is pending. */
export type OnText = (text: string) => void | Promise<void>;

/** Follows the state of a terminal by its output. */
export function createTerminalState(pty: IPty, token: string) {
  const scanner = createPromptScanner(token);
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
    // A prompt after unexpected input names an earlier command.
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
    /** Resolves to true when the shell is ready, or to false if it ended before. */
    ready: ready.promise,
    /** Resolves when the shell has ended and its output is read. */
    over: over.promise,
    isOver: (): boolean => isOver,
    running: (): RunningCommand | undefined => current,
    folder: (): string => folder,
    /** The number of commands started. */
    count: (): number => number,
    /** Records the start of a command. */
    begin(text: string): RunningCommand {
      const { promise, resolve } = Promise.withResolvers<CommandEnd>();
      number += 1;
      current = { number, text, ended: promise, end: resolve };
      return current;
    },
    /** Removes an echoed line from the output. */
    hide(line: string): void {
      hidden = line;
    },
    read: reader.read,
  };
}

function signalName(number: number): string {
  const { constants } = process.getBuiltinModule("node:os");
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? String(number);
}

/** Creates a reader that passes text on, or stores the end of it until someone reads. */
function createReader(pty: IPty) {
  let unread = "";
  let reader: OnText | undefined;
  let holds = 0;
  const release = (): void => {
    holds -= 1;
    if (holds === 0) pty.resume();
  };
  const deliver = (text: string, onText: OnText): void => {
    const taking = onText(text);
    if (taking === undefined) return;
    holds += 1;
    pty.pause();
    taking.then(release, release);
  };
  return {
    add(text: string): void {
      if (text === "") return;
      if (reader !== undefined) deliver(text, reader);
      else unread = (unread + text).slice(-UNREAD_CHARACTERS);
    },
    read: (onText: OnText): (() => void) => {
      reader = onText;
      if (unread !== "") deliver(unread, onText);
      unread = "";
      return () => {
        if (reader === onText) reader = undefined;
      };
    },
  };
}
