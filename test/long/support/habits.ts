import type { TestContext } from "node:test";
import {
  createReplPlace,
  openRepl,
  type ReplOptions,
  type ReplPlace,
  type Script,
} from "../../flows/support/repl.ts";
import type { Terminal } from "../../support/programs/terminal.ts";

/** What people do out of habit, and whether it worked here. */
export interface Habits {
  /** Does one; what it throws is in the table, and the next ones are done nevertheless. */
  readonly try: (name: string, steps: () => Promise<unknown>) => Promise<void>;
  readonly failed: () => readonly string[];
  readonly table: () => string;
  readonly count: () => number;
}

export function createHabits(): Habits {
  const rows: { readonly name: string; readonly fault: string | undefined }[] = [];
  return {
    async try(name, steps) {
      try {
        await steps();
        rows.push({ name, fault: undefined });
      } catch (error) {
        rows.push({ name, fault: error instanceof Error ? error.message : String(error) });
      }
    },
    failed: () => rows.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`])),
    count: () => rows.length,
    table: () =>
      rows
        .map(
          ({ name, fault }, index) =>
            `| ${index + 1} | ${name} | ${fault === undefined ? "holds" : "NO"} |\n`,
        )
        .join(""),
  };
}

/** The REPL on a terminal, with a scripted model. */
export interface Seat extends Terminal {
  readonly place: ReplPlace;
  /** Types a line and presses Enter. */
  readonly send: (text: string) => Promise<void>;
}

/** How long a text may take to appear. */
const LIMIT_MS = 20_000;

/** Opens the REPL in a new folder, or in that of another seat. */
export async function sitDown(
  t: TestContext,
  script: Script,
  {
    place = createReplPlace(t, script),
    isLoading = false,
    ...options
  }: ReplOptions & {
    readonly place?: ReplPlace;
    /** True: returns before the REPL has loaded. */
    readonly isLoading?: boolean;
  } = {},
): Promise<Seat> {
  const terminal = await openRepl(t, place, { limitMs: LIMIT_MS, columns: 100, rows: 30, ...options });
  if (!isLoading) await terminal.waitFor("ready");
  const send = async (text: string): Promise<void> => {
    await terminal.type(text);
    await terminal.press("Enter");
  };
  return { ...terminal, place, send };
}

export const shell = (command: string) => ({ name: "shell", input: { command } });

/** Waits until the scrollback shows something. */
export async function scrolled(terminal: Terminal, wanted: RegExp): Promise<string> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const all = await terminal.scrollback();
    if (wanted.test(all)) return all;
    if (performance.now() > end) throw new Error(`waited in vain for ${String(wanted)} in\n${all}`);
  }
}
