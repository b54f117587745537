import type { Engine } from "./types/engine.ts";
import type { AddOptions, Presets } from "./types/registry.ts";
import type { EngineOptions, RunOptions } from "./types/options.ts";
import type { Tool } from "../core/tool.ts";
import { grantedBefore } from "./pipeline/approve.ts";
import { activeEntries } from "./state/active-tools.ts";
import { createLine } from "./create-line.ts";
import { toProviderTools } from "./registry/provider-shapes.ts";
import { register, tellAdded, unregister } from "./registry/register.ts";
import { specOf } from "./registry/registry.ts";
import { preview } from "./pipeline/run.ts";
import { runAll } from "./pipeline/run-all.ts";

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
