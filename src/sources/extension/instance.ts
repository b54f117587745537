import { ToolError } from "../../core/errors.ts";
import type { Extension, ExtensionApi, ExtensionCommand, ProviderFactory } from "../../core/extension.ts";
import type { Hook } from "../../core/hook.ts";
import type { Json } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { checkCommand, checkHook, checkProvider, checkTool } from "./check-parts.ts";
import type { Uses } from "./uses.ts";
import { createUses } from "./uses.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** Everything that an extension has registered. */
export interface Parts {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  readonly commands: readonly ExtensionCommand[];
  readonly providers: ReadonlyMap<string, ProviderFactory>;
}

/** An extension whose code is loaded and set up. */
export interface Instance extends Parts {
  readonly name: string;
  /** Waits until nothing of it runs, but not longer than so, and then lets it clean up. Never rejects. */
  retire(waitMs?: number): Promise<void>;
}

export type Log = (extension: string, message: string, data?: Json) => void;

/** How long the clean-up of an extension may take before it is left alone. */
const CLOSE_MS = 5000;

/** Sets an extension up. Throws where it throws or takes longer than so; what it has begun by then is cleaned up. */
export async function openInstance(
  extension: Extension,
  { log, limitMs }: { readonly log: Log; readonly limitMs: number },
): Promise<Instance> {
  const { name } = extension;
  const uses = createUses(name);
  const building = createBuilding(name, uses, log);
  try {
    await within(limitMs, Promise.resolve(extension.setup(building.api)));
  } catch (error) {
    await building.close();
    throw error;
  }
  building.seal();
  return {
    name,
    ...building.parts,
    async retire(waitMs) {
      const ended = uses.ended();
      await (waitMs === undefined ? ended : withTimeout(ended, waitMs, () => undefined));
      uses.end();
      await building.close();
    },
  };
}

/** Settles as the work does; rejects with `TOOL_TIMEOUT` if that takes longer than the limit. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new ToolError("TOOL_TIMEOUT", `it was not ready within ${Number((limitMs / 1000).toFixed(1))} s`);
  });
}

interface Building {
  readonly api: ExtensionApi;
  readonly parts: Parts;
  /** Nothing more is registered. */
  seal(): void;
  close(): Promise<void>;
}

function createBuilding(name: string, uses: Uses, log: Log): Building {
  const tools: Tool[] = [];
  const hooks: Hook[] = [];
  const commands: ExtensionCommand[] = [];
  const providers = new Map<string, ProviderFactory>();
  const closers: (() => void | Promise<void>)[] = [];
  let isSealed = false;
  let isClosed = false;
  const open = (what: string): void => {
    if (isSealed) throw new ToolError("INVALID_INPUT", `${what} are registered in setup, not later`);
  };
  const api: ExtensionApi = {
    name,
    tool(tool) {
      open("tools");
      tools.push(counted(checkTool(tool), uses, { source: `extension:${name}` }));
    },
    hook(hook) {
      open("hooks");
      checkHook(hook);
      hooks.push(counted(hook, uses));
    },
    command(command) {
      open("commands");
      checkCommand(command);
      commands.push(counted(command, uses));
    },
    provider(provider, factory) {
      open("providers");
      checkProvider(provider, factory);
      providers.set(provider, factory);
    },
    log: (message, data) => log(name, message, data),
    onClose(close) {
      // Too late to be kept: what it would clean up is there all the same.
      if (isClosed) void callQuietly(close, name, log);
      else closers.push(close);
    },
  };
  return {
    api,
    parts: { tools, hooks, commands, providers },
    seal: () => void (isSealed = true),
    async close() {
      isSealed = true;
      isClosed = true;
      for (const close of closers.splice(0).toReversed()) await callQuietly(close, name, log);
    },
  };
}

/** The thing as its author wrote it, of whatever class, but counted while it runs. */
function counted<T extends { run(...given: never[]): unknown }>(
  thing: T,
  uses: Uses,
  own: Partial<T> = {},
): T {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(thing) as object | null) as T, thing, own);
  const run = (...given: never[]): unknown => uses.run(() => thing.run(...given));
  return Object.assign(copy, { run });
}

/** An extension that cannot clean up after itself is told of, and hurts nobody. */
async function callQuietly(close: () => void | Promise<void>, name: string, log: Log): Promise<void> {
  try {
    await within(CLOSE_MS, Promise.resolve(close()));
  } catch (error) {
    log(name, `onClose failed: ${errorMessage(error)}`);
  }
}
