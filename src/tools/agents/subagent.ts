import { ActiveTools } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { CurrentAgent } from "../../core/context.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import type { Problem } from "../../core/result.ts";
import { integer, list, object, optional, string } from "../../schema/define/schema.ts";
import { TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { AGENTS, MAX_TEXT_CHARACTERS } from "./kinds.ts";

const MAX_TOOLS = 100;
const MAX_TURNS = 200;
/** A child is ended by its budget, not by a clock: this is for one that hangs. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;
/** How long the child's own calls may take to end, once it is ended. */
const GRACE_MS = 5000;
const MAX_BYTES = 50 * 1024;

const input = object({
  task: string("What to do and what to report; it knows nothing but this", {
    min: 1,
    max: MAX_TEXT_CHARACTERS,
  }),
  tools: optional(
    list(string("A tool's name", { min: 1 }), "The only tools it may use; all of yours if left out", {
      min: 1,
      max: MAX_TOOLS,
    }),
  ),
  max_turns: optional(integer("Ends it after so many turns", { min: 1, max: MAX_TURNS })),
});

/** Has a child work on a task to its end; what it says last is the answer. */
export function subagent(): Tool {
  return defineTool({
    name: "subagent",
    description:
      "Has another agent work on a task of its own and answers with its report. It starts with an empty conversation, " +
      "so the task must say everything, and it never may do more than you. You wait until it is done; create_agent " +
      "starts one that works beside you.",
    input,
    ...AGENTS,
    effects: "unsafe",
    limits: { timeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, graceMs: GRACE_MS, maxBytes: MAX_BYTES },
    needs: [TeamKey, CurrentAgent],
    check: ({ tools = [] }, context) => unknownTools(tools, context),
    attributes: ({ tools = [], max_turns }) => ({
      tools: tools.join(" "),
      ...(max_turns !== undefined && { max_turns }),
    }),
    async run({ task, tools, max_turns: maxTurns }, context) {
      const active = context.get(ActiveTools);
      const { agentId, text, turns, calls } = await context.get(TeamKey).delegate({
        by: context.get(CurrentAgent),
        task,
        // An alias is no name that a ceiling would know.
        ...(tools !== undefined && { tools: tools.map((name) => active.get(name)?.name ?? name) }),
        ...(maxTurns !== undefined && { maxTurns }),
        signal: context.signal,
        emit: context.emit,
      });
      const head = `[report of ${agentId}: ${turns} turns, ${calls} calls]`;
      return new Reply(`${head}\n${text}`, { data: { agent_id: agentId, report: text, turns, calls } });
    },
  });
}

/** A name that is not there would leave the child without the tool, and nobody would know why. */
function unknownTools(tools: readonly string[], context: ToolContext): readonly Problem[] {
  const active = context.find(ActiveTools);
  if (active === undefined) return [];
  return tools.flatMap((name, index) => {
    if (active.get(name) !== undefined) return [];
    const near = nearNames(
      name,
      active.list().map((tool) => tool.name),
    );
    const expected = "the name of a tool that is active";
    return [
      { kind: "value", path: `/tools/${index}`, expected, got: name, ...(near.length > 0 && { near }) },
    ];
  });
}
