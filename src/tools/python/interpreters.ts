import { createKey, type Key } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import {
  openInterpreter,
  type Interpreter,
  type InterpreterOptions,
} from "../../system/python/interpreter.ts";

type Environment = InterpreterOptions["env"];

export interface NamedInterpreter {
  readonly id: string;
  readonly interpreter: Interpreter;
}

/** The id of the interpreter that is used if none is named. */
export const DEFAULT_ID = "default";

/** The interpreters of one session, by the ids that the model uses. */
export type Interpreters = ReturnType<typeof createInterpreters>["value"];

export const InterpretersKey: Key<Interpreters> = createKey("Interpreters");

interface Slot {
  readonly opening: Promise<Interpreter>;
  interpreter: Interpreter | undefined;
}

/** Creates the interpreters of a session; closing ends them with all programs that they started. */
export function createInterpreters(options: Omit<InterpreterOptions, "env">, maxOpen: number) {
  const slots = new Map<string, Slot>();
  let [count, isClosed] = [0, false];
  const forgetEnded = (): void => {
    for (const [id, { interpreter }] of slots) if (interpreter?.isOver() === true) slots.delete(id);
  };
  const open = async (id: string, env: Environment): Promise<NamedInterpreter> => {
    forgetEnded();
    if (slots.has(id)) throw taken(id);
    if (slots.size >= maxOpen) throw tooMany(maxOpen, [...slots.keys()]);
    const slot: Slot = { opening: openInterpreter({ ...options, env }), interpreter: undefined };
    slots.set(id, slot);
    try {
      const interpreter = await slot.opening;
      slot.interpreter = interpreter;
      // The session may have ended while it was being started.
      if (isClosed) await interpreter.close();
      return { id, interpreter };
    } catch (error) {
      slots.delete(id);
      throw error;
    }
  };
  const find = (id: string): Promise<Interpreter> => {
    const slot = slots.get(id);
    if (slot === undefined) throw unknown(id, [...slots.keys()]);
    return slot.opening;
  };
  return {
    value: {
      /** Opens an interpreter under an id, or under a new one. Throws if the id is taken, and at the limit. */
      open: (id: string | undefined, env: Environment): Promise<NamedInterpreter> =>
        open(id ?? `py${(count += 1)}`, env),
      /** Returns the interpreter of an id, which runs no cell; opens the default one at its first use. Throws for an unknown id. */
      async get(id: string, env: Environment): Promise<NamedInterpreter> {
        forgetEnded();
        if (id === DEFAULT_ID && !slots.has(id)) return open(id, env);
        const interpreter = await find(id);
        if (interpreter.isBusy()) throw busy(id);
        return { id, interpreter };
      },
      /** Ends an interpreter. Throws for an unknown id. */
      async close(id: string): Promise<void> {
        const interpreter = await find(id);
        slots.delete(id);
        await interpreter.close();
      },
      list(): readonly NamedInterpreter[] {
        forgetEnded();
        return [...slots].flatMap(([id, { interpreter }]) =>
          interpreter === undefined ? [] : [{ id, interpreter }],
        );
      },
    },
    async close(): Promise<void> {
      isClosed = true;
      const opening = [...slots.values()].map((slot) => slot.opening.catch(() => undefined));
      await Promise.all(opening.map(async (one) => (await one)?.close()));
    },
  };
}

function taken(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `there is already a Python session ${JSON.stringify(id)}`, {
    hint: "execute runs code in it; close ends it",
    details: { session_id: id },
  });
}

function tooMany(limit: number, open: readonly string[]): ToolError {
  return new ToolError("TOOL_FAILED", `${limit} Python sessions are open, which is the limit`, {
    hint: `use one of ${open.join(", ")}, or close one`,
    details: { limit },
  });
}

function unknown(id: string, open: readonly string[]): ToolError {
  const known = open.length === 0 ? "none is open" : `open: ${open.join(", ")}`;
  return new ToolError("TOOL_FAILED", `there is no Python session ${JSON.stringify(id)}, or it has ended`, {
    hint: `${known}; new_session opens one, and execute without session_id uses the session "${DEFAULT_ID}"`,
    details: { session_id: id },
  });
}

function busy(id: string): ToolError {
  const message = `the Python session ${JSON.stringify(id)} is still busy with another cell`;
  return new ToolError("TOOL_FAILED", message, {
    hint: "wait for that call, or use another session",
    details: { session_id: id },
  });
}
