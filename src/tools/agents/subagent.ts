import { defined } from "../../util/json/defined.ts";
import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { ActiveTools } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent, type ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/result.ts";
import { integer, list, object, optional, string } from "../../schema/define/schema.ts";
import { TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { longText } from "./message.ts";

const MAX_TOOLS = 100;
const MAX_TURNS = 200;
/** A safety limit: a child normally ends by its budget. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;
/** How long the child's own calls may take to end after a cancellation. */
const GRACE_MS = 5000;
const MAX_BYTES = 50 * 1024;

const input = object({
  task: longText("What to do and what to report; it knows nothing else"),
  tools: optional(
    list(string("A tool's name", { min: 1 }), "The only tools it may use; default: all of yours", {
      min: 1,
      max: MAX_TOOLS,
    }),
  ),
  max_turns: optional(integer("The maximum number of turns", { min: 1, max: MAX_TURNS })),
});

/** Runs a child on a task to its end; its last answer is the result. */
export function subagent(): Tool {
  return builtIn({
    name: "subagent",
    description:
      "Runs another agent on a task and returns its report. It starts with an empty conversation, so the task must contain " +
      "everything it needs, and it never has more permissions than you. The call waits until it is done; create_agent " +
      "starts an agent that works in parallel.",
    input,
    ...AGENTS,
    effects: "unsafe",
    limits: { timeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, graceMs: GRACE_MS, maxBytes: MAX_BYTES },
    needs: [TeamKey, CurrentAgent],
    check: ({ tools = [] }, context) => unknownTools(tools, context),
    attributes: ({ tools = [], max_turns }) => ({ tools: tools.join(" "), ...defined({ max_turns }) }),
    async run({ task, tools, max_turns: maxTurns }, context) {
      const active = context.get(ActiveTools);
      const { agentId, text, turns, calls } = await context.get(TeamKey).delegate({
        by: context.get(CurrentAgent),
        task,
        // A ceiling has tool names, not aliases.
        ...defined({ tools: tools?.map((name) => active.get(name)?.name ?? name), maxTurns }),
        signal: context.signal,
        emit: context.emit,
      });
      const head = `[report of ${agentId}: ${turns} turns, ${calls} calls]`;
      return new Reply(`${head}\n${text}`, { data: { agent_id: agentId, report: text, turns, calls } });
    },
  });
}

/** Rejects unknown names: the child would lack the tool without an explanation. */
function unknownTools(tools: readonly string[], context: ToolContext): readonly Problem[] {
  const active = context.find(ActiveTools);
  if (active === undefined) return [];
  return tools.flatMap((name, index) => {
    if (active.get(name) !== undefined) return [];
    const names = active.list().map((tool) => tool.name);
    const near = nearNames(name, names);
    const expected = "the name of an active tool";
    return [
      { kind: "value", path: `/tools/${index}`, expected, got: name, ...(near.length > 0 && { near }) },
    ];
  });
}
