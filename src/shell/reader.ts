import type { CommandReading } from "../core/command.ts";
import type { CommandFact } from "../core/fact.ts";
import type { ReadingMeans } from "./read-through.ts";
import { readThrough } from "./read-through.ts";
import type { ShellParser } from "./syntax/shell-parser.ts";

export interface CommandReader {
  /** At once where the strict reader is enough or the parser is there already; else a promise, which never rejects. */
  read(fact: CommandFact): CommandReading | Promise<CommandReading>;
}

export interface CommandReaderOptions {
  /** What `~` and `cd` alone stand for. */
  readonly home?: string;
  /** Called once, when a text is not proven for the first time. */
  readonly loadParser?: () => ShellParser | Promise<ShellParser>;
}

/**
 * Reads what commands would do: strictly where that proves them, else greedily, with a parser that is loaded the first
 * time it is needed. Without one, or where it cannot be loaded, what is not proven is unreadable.
 */
export function createCommandReader({ home, loadParser }: CommandReaderOptions): CommandReader {
  let means: ReadingMeans = home === undefined ? {} : { home };
  let loading: Promise<void> | undefined;

  async function load(from: () => ShellParser | Promise<ShellParser>): Promise<void> {
    try {
      means = { ...means, parser: await from() };
    } catch {
      // What needs it stays unreadable and is asked about; to try again at each command would only make that slow.
    }
  }

  return {
    read(fact) {
      const { reading, wasGreedy } = readThrough(fact, means);
      if (!wasGreedy || means.parser !== undefined || loadParser === undefined) return reading;
      loading ??= load(loadParser);
      return loading.then(() => readThrough(fact, means).reading);
    },
  };
}
