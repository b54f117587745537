import { defined } from "../../util/json/defined.ts";
import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { ActiveTools } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent, type ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/result.ts";
import { integer, list, object, optional, string, boolean } from "../../schema/define/schema.ts";
import { TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { longText } from "./messages.ts";
import { counted } from "../../util/text/words.ts";

const MAX_TOOLS = 100;
const MAX_TURNS = 200;
/** A safety limit: a child normally ends by its budget. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;
/** How long the child's own calls may take to end after a cancellation. */
const GRACE_MS = 5000;
const MAX_BYTES = 50 * 1024;

const subagentInput = object({
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
      "everything it needs, and it never has more permissions than you. The call waits until it is done; several calls in " +
      "one message run at once; create_agent starts an agent that works on while you do.",
    input: subagentInput,
    ...AGENTS,
    effects: "unsafe",
    // The calls of the agents are ordered by their files, as those of agents that work in parallel.
    runsTogether: true,
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
      const head = `[report of ${agentId}: ${counted(turns, "turn")}, ${counted(calls, "call")}]`;
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

const MAX_NAME_CHARACTERS = 64;
const MAX_SKILLS = 10;
/** For opening a conversation and reading skills; the call does not wait for the work. */
const OPEN_MS = 60_000;

const createInput = object({
  name: string("The name of the agent; its id is in the answer", { min: 1, max: MAX_NAME_CHARACTERS }),
  task: longText("What to do and what to report"),
  inherit_context: optional(boolean("Gives it a shortened copy of this conversation"), true),
  skills: optional(
    list(string("A skill's name", { min: 1 }), "Skills for its instructions", { max: MAX_SKILLS }),
  ),
});

/** Starts an agent that works in parallel; its result arrives as a message. */
export function createAgentTool(): Tool {
  return builtIn({
    name: "create_agent",
    description:
      "Starts another agent that works on a task in parallel, and returns its id at once. It never has more permissions than " +
      "you. Its result or failure arrives as a message; wait_for_message waits for it.",
    input: createInput,
    ...AGENTS,
    limits: { timeoutMs: OPEN_MS },
    needs: [TeamKey, CurrentAgent],
    attributes: ({ name, skills = [] }) => ({ name, skills: skills.join(" ") }),
    async run({ name, task, inherit_context: inheritsContext, skills = [] }, context) {
      const by = context.get(CurrentAgent);
      const member = await context.get(TeamKey).create({ by, name, task, inheritsContext, skills });
      const text = `${member.id} (${member.name}) works on it now; its result arrives as a message`;
      return new Reply(text, { data: { agent_id: member.id, name: member.name } });
    },
  });
}
