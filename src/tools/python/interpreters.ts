import { createKey, type Key } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
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

/** The environment of an interpreter that is opened now, and the signal of the call. */
interface Turn {
  readonly env: Environment;
  readonly signal: AbortSignal;
}

type Work<T> = (named: NamedInterpreter) => Promise<T>;

interface Slot {
  readonly opening: Promise<Interpreter>;
  interpreter: Interpreter | undefined;
}

/** Creates the interpreters of a session; closing ends them with all programs that they started. */
export function createInterpreters(options: Omit<InterpreterOptions, "env">, maxOpen: number) {
  const slots = new Map<string, Slot>();
  const inTurn = createTurns();
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
  /** Opens the default one at its first use. */
  const get = async (id: string, env: Environment): Promise<NamedInterpreter> => {
    forgetEnded();
    if (id === DEFAULT_ID && !slots.has(id)) return open(id, env);
    return { id, interpreter: await find(id) };
  };
  return {
    value: {
      /** Opens an interpreter under an id, or under a new one. Throws if the id is taken, and at the limit. */
      open: (id: string | undefined, env: Environment): Promise<NamedInterpreter> =>
        open(id ?? `py${(count += 1)}`, env),
      /** Runs work with the interpreter of an id in its turn: see `createTurns`. Throws for an unknown id. */
      use: <T>(id: string, { env, signal }: Turn, work: Work<T>): Promise<T> =>
        inTurn(id, signal, () => get(id, env), work),
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

/**
 * Creates a queue for each id. It opens the interpreter and runs work with it after all earlier work of the id. Rejects at once if the signal
 * is aborted before the work begins: it does not run then.
 */
function createTurns() {
  const serialize = createSerializer();
  return async <T>(
    id: string,
    signal: AbortSignal,
    open: () => Promise<NamedInterpreter>,
    work: Work<T>,
  ): Promise<T> => {
    const turn = Promise.withResolvers<NamedInterpreter>();
    const worked = serialize(async () => {
      turn.resolve(open());
      const named = await turn.promise;
      signal.throwIfAborted();
      return work(named);
    }, [id]);
    worked.catch(() => undefined);
    await untilAborted(turn.promise, signal).catch((error: unknown) => {
      throw signal.aborted ? notRun(id, signal.reason) : error;
    });
    return worked;
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

function notRun(id: string, reason: unknown): ToolError {
  const { code, message, details } = toFault(reason);
  return new ToolError(code, message, {
    hint: `the code did not run: the Python session ${id} was starting, or busy with earlier code`,
    ...defined({ details }),
    cause: reason,
  });
}
