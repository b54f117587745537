import type { ToolCall } from "../core/call.ts";
import type { Event, Listener } from "../core/events.ts";
import type { Fact } from "../core/fact.ts";
import type { ChangedFile } from "../core/hook.ts";
import type { JsonObject } from "../core/json.ts";
import type { Verdict } from "../core/policy.ts";
import type { Fault, ToolResult } from "../core/result.ts";
import type { Risk, ToolSpec } from "../core/spec.ts";
import type { Tool } from "../core/tool.ts";
import { grantedBefore } from "./pipeline/approve.ts";
import { activeEntries } from "./state/active-tools.ts";
import type { LineOptions } from "./create-line.ts";
import { createLine } from "./create-line.ts";
import type { Groups } from "./registry/groups.ts";
import type { RunOptions } from "./state/line.ts";
import type { Masker } from "../util/text/mask.ts";
import type { Presets } from "./registry/presets.ts";
import { toProviderTools } from "./registry/provider-shapes.ts";
import { register, tellAdded, unregister } from "./registry/register.ts";
import { specOf } from "./registry/registry.ts";
import { preview } from "./pipeline/run.ts";
import type { RunAllOptions } from "./pipeline/run-all.ts";
import { runAll } from "./pipeline/run-all.ts";
import type { ProviderFormat } from "./providers/provider-format.ts";
import type { Sources } from "./registry/sources.ts";

export interface EngineOptions extends LineOptions {
  readonly tools?: readonly Tool[];
}

export interface AddOptions {
  readonly group?: string;
  /** For one tool, its presets; for a list, presets keyed by tool name. */
  readonly presets?: Presets | Readonly<Record<string, Presets>>;
  /** Swaps a tool of the same name instead of refusing. */
  readonly replace?: boolean;
}

/** What policy would say of a call, and why; nothing was run. */
export interface Explanation {
  readonly verdict: Verdict | undefined;
  readonly facts: readonly Fact[];
  readonly risk: Risk | undefined;
  /** Why the call would not even reach the judge. */
  readonly fault: Fault | undefined;
}

/** One session's view of the engine: its own group switches and its own grants. */
export interface EngineSession {
  readonly id: string;
  readonly groups: Groups;
  /** Ends what lives as long as the session, and forgets it. */
  close(): Promise<void>;
}

export interface Engine {
  /** Registers tools; a taken name or alias throws and changes nothing. */
  add(tool: Tool | readonly Tool[], options?: AddOptions): void;
  remove(name: string): boolean;
  get(name: string): Tool | undefined;
  /** The active tools as a model may see them; with `all`, the others too. */
  list(options?: { readonly session?: string; readonly all?: boolean }): readonly ToolSpec[];
  specs(
    format: ProviderFormat,
    options?: { readonly session?: string; readonly strict?: boolean },
  ): readonly JsonObject[];
  /** Takes one call down the line. Never rejects. */
  run(call: ToolCall, options?: RunOptions): Promise<ToolResult>;
  /** Never rejects; answers come in the order of the calls. */
  runAll(calls: readonly ToolCall[], options?: RunAllOptions): Promise<readonly ToolResult[]>;
  explain(call: ToolCall, options?: RunOptions): Promise<Explanation>;
  readonly groups: Groups;
  /** Programs, servers and folders that tools come from; a call of a name that is not known yet waits for them. */
  readonly sources: Sources;
  /** A session with a parent never has a tool that its parent lacks. */
  session(id: string, options?: { readonly parent?: string }): EngineSession;
  /** Tells listeners and hooks of a file that somebody else has changed; the engine's own tools tell it by themselves. */
  fileChanged(file: ChangedFile): void;
  /** Hides what is secret, also from now on what it learns; for whoever tells of something beside the answers of calls. */
  readonly masker: Pick<Masker, "text" | "stream" | "learn">;
  /** Calls back on every event, or only on those named, which is cheaper; gives back the way to stop. */
  on(listener: Listener, only?: readonly Event["type"][]): () => void;
  /** Cancels what is running and refuses what comes later. */
  close(): Promise<void>;
}

const NO_OPTIONS: RunOptions = Object.freeze({});

/** Makes an engine: tools are added to it, and every call handed to it gets exactly one answer. */
export function createEngine(options: EngineOptions = {}): Engine {
  const { line, listeners, close } = createLine(options);
  const { registry, groups, sessions, sources } = line;

  const engine: Engine = {
    groups,
    sources,
    masker: line.masker,
    add(tool, addOptions = {}) {
      const tools = isList(tool) ? tool : [tool];
      register(line, tools, (one) => registerOptions(one, addOptions, isList(tool)));
      for (const one of tools) tellAdded(line, one);
    },
    remove: (name) => unregister(line, name) !== undefined,
    get: (name) => registry.find(name)?.entry.tool,
    list: ({ session, all } = {}) =>
      (all === true ? [...registry.entries()] : activeEntries(line, session)).map(specOf),
    specs: (format, { session, ...asked } = {}) =>
      toProviderTools(activeEntries(line, session).map(specOf), format, {
        ...asked,
        names: registry.names(format),
      }),
    run: (call, runOptions = NO_OPTIONS) => line.run(call, runOptions),
    runAll: (calls, runOptions = NO_OPTIONS) => runAll(line, calls, runOptions),
    async explain(call, runOptions = NO_OPTIONS) {
      const { passage, fault } = await preview(line, call, runOptions);
      const { job, context } = passage;
      const judged = passage.verdict;
      const granted = judged === undefined ? undefined : await grantedBefore(passage, judged);
      const verdict = granted ?? judged;
      return {
        verdict,
        risk: job?.risk,
        facts: context.facts,
        fault: verdict === undefined ? fault : undefined,
      };
    },
    session: (id, { parent } = {}) => ({
      id,
      groups: sessions.open(id, parent).groups,
      async close() {
        await line.sessionHooks?.end(id);
        await sessions.close(id);
      },
    }),
    fileChanged: (file) => line.changes.tell(file),
    on: listeners.add,
    close,
  };
  engine.add(options.tools ?? []);
  return engine;
}

function registerOptions(
  tool: Tool,
  options: AddOptions,
  isKeyed: boolean,
): AddOptions & { presets?: Presets } {
  const { presets, ...rest } = options;
  if (presets === undefined) return rest;
  if (!isKeyed) return { ...rest, presets: presets as Presets };
  const own = Object.hasOwn(presets, tool.name) ? (presets[tool.name] as Presets) : undefined;
  return own === undefined ? rest : { ...rest, presets: own };
}

function isList(tool: Tool | readonly Tool[]): tool is readonly Tool[] {
  return Array.isArray(tool);
}
