import { ToolError } from "../../core/errors.ts";
import type { Extension, ExtensionApi, ExtensionCommand, ProviderFactory } from "./extension.ts";
import type { Hook } from "../../core/hook.ts";
import type { Json } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { checkPart } from "./check-parts.ts";
import { createUses, type Uses } from "./uses.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The registered parts of an extension. */
export interface Parts {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  readonly commands: readonly ExtensionCommand[];
  readonly providers: ReadonlyMap<string, ProviderFactory>;
}

/** A loaded extension after its setup. */
export interface Instance extends Parts {
  readonly name: string;
  /** Waits until nothing of it is running, at most `waitMs`, then calls its `onClose` functions. Never rejects. */
  retire(waitMs?: number): Promise<void>;
}

/** Receives a message of an extension, with the name of the extension. */
export type Log = (extension: string, message: string, data?: Json) => void;

/** Time limit of each `onClose` function. */
const CLOSE_MS = 5000;

/** Sets up an extension; `leftMs` of its time limit are left. Rejects if its setup throws or exceeds the time limit, after calling its `onClose` functions. */
export async function openInstance(
  extension: Extension,
  log: Log,
  limitMs: number,
  leftMs: number,
): Promise<Instance> {
  const { name } = extension;
  const uses = createUses(name);
  const registration = createRegistration(name, uses, log);
  try {
    await within(leftMs, Promise.resolve(extension.setup(registration.api)), limitMs);
  } catch (error) {
    await registration.close();
    throw error;
  }
  registration.seal();
  return {
    name,
    ...registration.parts,
    async retire(waitMs) {
      const ended = uses.ended();
      await (waitMs === undefined ? ended : withTimeout(ended, waitMs, () => undefined));
      uses.end();
      await registration.close();
    },
  };
}

/** Settles as the work does; rejects with `TOOL_TIMEOUT` after the time limit. `statedMs` is the limit in its message. */
export function within<T>(limitMs: number, work: Promise<T>, statedMs = limitMs): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new ToolError("TOOL_TIMEOUT", `it was not ready within ${Number((statedMs / 1000).toFixed(1))} s`);
  });
}

function createRegistration(name: string, uses: Uses, log: Log) {
  const tools: Tool[] = [];
  const hooks: Hook[] = [];
  const commands: ExtensionCommand[] = [];
  const providers = new Map<string, ProviderFactory>();
  const closers: (() => void | Promise<void>)[] = [];
  let isSealed = false;
  let isClosed = false;
  const open = (what: string): void => {
    if (isSealed) throw new ToolError("INVALID_INPUT", `${what} can only be registered during setup`);
  };
  const api: ExtensionApi = {
    name,
    tool(tool) {
      open("tools");
      checkPart("tool", tool);
      tools.push(counted(tool, uses, { source: `extension:${name}` }));
    },
    hook(hook) {
      open("hooks");
      checkPart("hook", hook);
      hooks.push(counted(hook, uses));
    },
    command(command) {
      open("commands");
      checkPart("command", command);
      commands.push(counted(command, uses));
    },
    provider(provider, factory) {
      open("providers");
      checkPart("provider", { name: provider, run: factory });
      providers.set(provider, factory);
    },
    log: (message, data) => log(name, message, data),
    onClose(close) {
      // Already closed: called at once, so that its resources are released.
      if (isClosed) void callCloser(close, name, log);
      else closers.push(close);
    },
  };
  return {
    api,
    parts: { tools, hooks, commands, providers } satisfies Parts,
    /** Makes further registrations throw. */
    seal: () => void (isSealed = true),
    async close() {
      isSealed = true;
      isClosed = true;
      for (const close of closers.splice(0).toReversed()) await callCloser(close, name, log);
    },
  };
}

/** Returns a copy, of the same class, whose `run` is counted. */
function counted<T extends { run(...given: never[]): unknown }>(
  part: T,
  uses: Uses,
  own: Partial<T> = {},
): T {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(part) as object | null) as T, part, own);
  const run = (...given: never[]): unknown => uses.run(() => part.run(...given));
  return Object.assign(copy, { run });
}

/** Logs a failed `onClose` function; never rejects. */
async function callCloser(close: () => void | Promise<void>, name: string, log: Log): Promise<void> {
  try {
    await within(CLOSE_MS, Promise.resolve(close()));
  } catch (error) {
    log(name, `onClose failed: ${errorMessage(error)}`);
  }
}
