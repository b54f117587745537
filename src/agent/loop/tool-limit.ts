import type { Ceiling } from "../../core/policy.ts";
import { MOST_TOOL_TOKENS } from "../../engine/registry/tool-window.ts";
import type { ToolLimit } from "../../engine/types/registry.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { defined } from "../../util/json/defined.ts";
import { starPattern } from "../../util/text/name-pattern.ts";

/** For providers that document no number. */
const MAX_TOOLS = 128;
/** The share of the model's window that tools of sources may take. */
const WINDOW_SHARE = 0.1;

/** Limits what an agent's session sees to what a request to its model may have. Another call with the same model changes nothing. */
export function limitTools({ options, session, model }: AgentRuntime): void {
  const { engine, ceilings = [], toolLimit = {} } = options;
  const { maxTools, window } = model();
  const { tools = MAX_TOOLS, tokens = Math.min(window * WINDOW_SHARE, MOST_TOOL_TOKENS) } = toolLimit;
  engine.session(session.id).limitTools({
    tools: Math.min(tools, maxTools ?? tools),
    tokens,
    ...defined({ includes: namesIn(ceilings) }),
  });
}

const tests = new WeakMap<readonly Ceiling[], ToolLimit["includes"]>();

/** Returns a test for the names of tools that all ceilings include, the same for the same ceilings; undefined if they name none. */
function namesIn(ceilings: readonly Ceiling[]): ToolLimit["includes"] {
  const patterns = ceilings.flatMap(({ tools }) => (tools === undefined ? [] : [tools.map(starPattern)]));
  if (patterns.length === 0) return undefined;
  const includes =
    tests.get(ceilings) ??
    ((name: string): boolean => patterns.every((some) => some.some((matches) => matches(name))));
  tests.set(ceilings, includes);
  return includes;
}
