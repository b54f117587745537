import { createKey, type Key } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Roster } from "../../system/process/roster.ts";
import { openTerminal, type Terminal } from "../../system/terminal/terminal.ts";
import type { RunningLimits } from "./options.ts";

type Environment = Readonly<Record<string, string>>;

export interface TerminalsOptions {
  readonly limits: RunningLimits;
  readonly roster: Roster;
  readonly launcher?: readonly string[] | undefined;
}

/** The terminals of one session, by the ids that the model gave them. */
export type Terminals = ReturnType<typeof createTerminals>["value"];

export const TerminalsKey: Key<Terminals> = createKey("Terminals");

interface Slot {
  readonly opening: Promise<Terminal>;
  terminal: Terminal | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Creates the terminals of a session; closing ends them with all programs that run in them. */
export function createTerminals({ limits, roster, launcher }: TerminalsOptions) {
  const slots = new Map<string, Slot>();
  let isClosed = false;
  const isOpen = (slot: Slot): boolean => slot.terminal?.isOver() !== true;
  const openIds = (): readonly string[] => [...slots].filter(([, slot]) => isOpen(slot)).map(([id]) => id);
  const touch = (slot: Slot): Terminal | undefined => {
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => void slot.terminal?.close(), limits.terminalIdleMs).unref();
    return slot.terminal;
  };
  const close = async ({ opening, timer }: Slot): Promise<void> => {
    clearTimeout(timer);
    const terminal = await opening.catch(() => undefined);
    await terminal?.close();
  };
  const begin = async (id: string, folder: string, env: Environment): Promise<Terminal> => {
    try {
      const terminal = await openTerminal({ cwd: folder, env, roster, launcher });
      // The session may have ended while it was being opened.
      if (isClosed) await terminal.close();
      return terminal;
    } catch (error) {
      slots.delete(id);
      throw error;
    }
  };
  return {
    value: {
      /** Returns an open terminal and restarts its idle time. */
      find(id: string): Terminal | undefined {
        const slot = slots.get(id);
        return slot !== undefined && isOpen(slot) ? touch(slot) : undefined;
      },
      /** True for a terminal that was open and has ended. */
      hasEnded: (id: string): boolean => slots.get(id)?.terminal?.isOver() === true,
      /** Opens a terminal in a folder; throws at the limit of open ones. */
      async open(id: string, folder: string, environment: Environment): Promise<Terminal> {
        const known = slots.get(id);
        if (known !== undefined && isOpen(known)) return known.opening;
        if (openIds().length >= limits.terminals) throw tooMany(limits.terminals, openIds());
        clearTimeout(known?.timer);
        const slot: Slot = { opening: begin(id, folder, environment), terminal: undefined, timer: undefined };
        slots.set(id, slot);
        slot.terminal = await slot.opening;
        touch(slot);
        return slot.terminal;
      },
      ids: openIds,
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...slots.values()].map(close));
    },
  };
}

function tooMany(limit: number, open: readonly string[]): ToolError {
  return new ToolError("TOOL_FAILED", `${limit} terminals are open, which is the limit`, {
    hint: `use one of ${open.join(", ")}, or end one with the command "exit"`,
    details: { limit },
  });
}
