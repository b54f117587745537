import type { Tool } from "../core/tool.ts";
import { createEngineParts } from "./create-engine-parts.ts";
import { runAll } from "./pipeline/run-all.ts";
import { run, preview } from "./pipeline/run.ts";
import { toProviderTools } from "../formats/to-provider-tools.ts";
import { placeOf } from "./pipeline/route.ts";
import { activeEntries, specsOf } from "./registry/active-tools.ts";
import { emitAdded, register, unregister } from "./registry/registry.ts";
import type { EngineParts, Examined } from "./types/engine-parts.ts";
import type { Engine, EngineSession, Explanation, SessionOptions } from "./types/engine.ts";
import type { CallOptions, OptionsWithPolicy, Run, RunAll, RunOptions } from "./types/options.ts";
import type { AddOptions, Presets } from "./types/registry.ts";
import type { RegisterOptions } from "./types/tool-entry.ts";
import type { ToolCall } from "../core/call.ts";
import type { CallState } from "./call/call-state.ts";
import { parsePolicyFile } from "../policy/rules/parse-policy.ts";
import { checkOptions } from "../util/json/check-options.ts";
import { ownOptions } from "./pipeline/check-options.ts";
import { unknownName } from "../util/text/near-hint.ts";

const NO_OPTIONS: RunOptions = Object.freeze({});
const ON_KINDS = { listener: "a function", only: "a list of texts" } as const;
const ADD_KINDS = { group: "a text", presets: "an object", replace: "true or false" } as const;

/** Creates an engine: tools are added to it, and every call it runs gets exactly one answer. */
export function createBareEngine(options: OptionsWithPolicy): Engine {
  const { parts: shared, listeners, close } = createEngineParts(options);
  const parts: EngineParts = {
    ...shared,
    run: (call, callOptions) => run(parts, call, callOptions),
    runAll: (calls, callOptions) => runAll(parts, calls, callOptions),
    examine: (call, runOptions) => examine(parts, call, runOptions),
  };
  const { registry, groups, sources, masker } = parts;
  const engine: Engine = {
    groups,
    sources,
    masker,
    add(tool, addOptions = {}) {
      checkOptions("engine.add", addOptions, ADD_KINDS);
      const tools = isList(tool) ? tool : [tool];
      if (isList(tool)) checkPresets(tools, addOptions);
      register(parts, tools, (one) => registerOptions(one, addOptions, isList(tool)));
      for (const one of tools) emitAdded(parts, one);
    },
    remove: (name) => unregister(parts, name) !== undefined,
    get: (name) => registry.find(name)?.entry.tool,
    list(listOptions = {}) {
      checkOptions("engine.list", listOptions, { session: "a text", all: "true or false" });
      const { session, all } = listOptions;
      const entries = all === true ? [...registry.entries()] : activeEntries(parts, session);
      return specsOf(entries).map((spec) => ({ ...spec, place: placeOf(parts.executors, spec) }));
    },
    specs(format, specOptions = {}) {
      checkOptions("engine.specs", specOptions, { session: "a text", strict: "true or false" });
      const { session, ...toolOptions } = specOptions;
      const names = registry.names(format);
      return toProviderTools(specsOf(activeEntries(parts, session)), format, { ...toolOptions, names });
    },
    // Without `whenAsked: "return"` a call is never suspended.
    run: ((call, runOptions) => run(parts, call, ownOptions(runOptions ?? NO_OPTIONS))) as Run,
    call(tool, input, callOptions = {}) {
      const { id = callOptions.id ?? globalThis.crypto.randomUUID(), ...runOptions } =
        ownOptions(callOptions);
      const name = typeof tool === "string" ? tool : tool.name;
      return parts.run({ id, name, input }, runOptions) as Promise<never>;
    },
    runAll: ((calls, runOptions) => runAll(parts, calls, ownOptions(runOptions ?? NO_OPTIONS))) as RunAll,
    async resume(token, decision, resumeOptions = {}) {
      const { resume } = await import("./pipeline/resume.ts");
      return resume(parts, token, decision, resumeOptions);
    },
    explain: (call, runOptions = NO_OPTIONS) => explain(parts, call, ownOptions(runOptions)),
    session: (id, sessionOptions = {}) => openSession(parts, id, sessionOptions),
    fileChanged: (file) => parts.changes.notify(file),
    on(listener, only) {
      checkOptions("engine.on", { listener: listener ?? null, only }, ON_KINDS);
      return listeners.add(listener, only);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  engine.add(options.tools ?? []);
  return engine;
}

function openSession(parts: EngineParts, id: string, options: SessionOptions): EngineSession {
  checkOptions("engine.session", { id: id ?? null }, { id: "a text" });
  checkOptions("engine.session", options, { parent: "a text", rules: "a list" });
  const { parent, rules } = options;
  if (rules !== undefined) parsePolicyFile({ rules }, `the session ${JSON.stringify(id)}`);
  const opened = parts.sessions.open(id, parent);
  if (rules !== undefined) opened.rules = rules;
  return {
    id,
    groups: opened.groups,
    limitTools: (limit) => opened.window.setLimit(limit),
    find: (key) => parts.sessions.open(id, parent).find(key),
    close: () => parts.closeSession(id),
  };
}

function registerOptions(tool: Tool, options: AddOptions, isKeyed: boolean): RegisterOptions {
  const { presets, ...rest } = options;
  if (presets === undefined) return rest;
  if (!isKeyed) return { ...rest, presets: presets as Presets };
  const own = Object.hasOwn(presets, tool.name) ? (presets[tool.name] as Presets) : undefined;
  return own === undefined ? rest : { ...rest, presets: own };
}

/** Throws if presets name no tool of the list: the parameter that they should hide would be shown to the model. */
function checkPresets(tools: readonly Tool[], { presets = {} }: AddOptions): void {
  const names = tools.map(({ name }) => name);
  const unknown = Object.keys(presets).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const otherwise = "for a list of tools, presets are keyed by tool name";
  throw unknownName(`presets for "${unknown}", which is not in the list of tools`, unknown, names, otherwise);
}

function isList(tool: Tool | readonly Tool[]): tool is readonly Tool[] {
  return Array.isArray(tool);
}

async function explain(engine: EngineParts, call: ToolCall, options: RunOptions): Promise<Explanation> {
  const { state, job, ...examined } = await examine(engine, call, options);
  const { verdict } = examined;
  const { requestOn } = await import("./pipeline/ask.ts");
  const question = verdict === undefined ? undefined : await requestOn(state, verdict);
  return { ...examined, risk: job?.risk, request: question?.request };
}

/** Returns the verdict of policy and of earlier approvals on a call, without running it. */
async function examine(
  engine: EngineParts,
  call: ToolCall,
  options: CallOptions,
): Promise<Examined & { readonly state: CallState }> {
  const { state, fault } = await preview(engine, call, options);
  const judged = state.verdict;
  const { findGrant } = await import("./pipeline/ask.ts");
  const granted = judged === undefined ? undefined : await findGrant(state, judged);
  const verdict = granted ?? judged;
  return {
    state,
    verdict,
    job: state.job,
    facts: state.context.facts,
    fault: verdict === undefined ? fault : undefined,
  };
}
