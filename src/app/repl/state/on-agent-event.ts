import { describeLevel, NOTHING_SPENT } from "../../../agent/budget/budget.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { UserMessage } from "../../../core/agent/message.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { splitSettled } from "../text/split-settled.ts";
import { messageText } from "./summary.ts";
import {
  isQuiet,
  settleText,
  settleThought,
  withBlock,
  withNotice,
  type Block,
  type ReplState,
} from "./repl-state.ts";

/** The end of a thought that is shown. */
const THOUGHT_CHARACTERS = 400;

/** Returns the state after an event of the agent. */
export function onAgentEvent(state: ReplState, event: AgentEvent): ReplState {
  switch (event.type) {
    case "agent.state": {
      const next = { ...state, agentState: event.state };
      if (isQuiet(event.state)) return withBlock(next);
      return isQuiet(state.agentState) ? { ...next, spentBefore: state.spent ?? NOTHING_SPENT } : next;
    }
    case "model.text":
      return addText(state, event.text);
    case "model.reasoning":
      return {
        ...state,
        thought: (state.thought + event.text).slice(state.showsReasoning ? 0 : -THOUGHT_CHARACTERS),
      };
    case "model.retried": {
      const wait = `${(event.waitMs / 1000).toFixed(1)} s (attempt ${event.attempt})`;
      return withNotice(settleText(state), "warning", `retrying the model in ${wait}: ${event.message}`);
    }
    case "message.added":
      return event.message.role === "user" ? addMessage(state, event.message) : settleText(state);
    case "session.compacted":
      return withNotice(
        { ...state, contextTokens: compactedTokens(state, event) },
        ...compactedNotice(event),
      );
    case "turn.ended":
      return {
        ...settleText(state),
        contextTokens: event.usage.inputTokens + event.usage.outputTokens,
      };
    default: {
      const notice = noticeOf(event);
      return notice === undefined ? state : withNotice(state, ...notice);
    }
  }
}

/** Returns the notice about an event; undefined for others. The result of a message is shown by its outcome. */
function noticeOf(event: AgentEvent): readonly ["info" | "warning" | "error", string] | undefined {
  switch (event.type) {
    case "budget.warned":
      return ["warning", `the budget is nearly spent: ${describeLevel(event)}`];
    case "budget.spent":
      return ["error", `the budget is spent: ${describeLevel(event)}`];
    case "loop.suspected":
      return ["warning", `the agent may be stuck in a loop: ${event.description}`];
    case "tools.late": {
      const sources = event.sources.join(", ");
      return ["warning", `still loading, the request is without their tools: ${sources}`];
    }
    default:
      return undefined;
  }
}

type Compacted = Extract<AgentEvent, { type: "session.compacted" }>;

/** Returns the tokens of the last request, made smaller as much as the estimates of the conversation were. */
function compactedTokens({ contextTokens }: ReplState, { tokensBefore, tokensAfter }: Compacted): number {
  if (contextTokens === 0 || tokensBefore === 0) return tokensAfter;
  return Math.round((contextTokens * tokensAfter) / tokensBefore);
}

function compactedNotice({ tokensBefore, tokensAfter }: Compacted): readonly ["info", string] {
  return ["info", `the conversation was compacted: ${tokensBefore} tokens before, ${tokensAfter} now`];
}

function addText(state: ReplState, text: string): ReplState {
  const { settled, rest } = splitSettled(state.text + text);
  const blocks = settled.map((block): Block => ({ kind: "markdown", text: block }));
  return { ...withBlock(settleThought(state), ...blocks), text: rest };
}

/** Shows a message; one that was sent here stops waiting, one from elsewhere has its sender. */
function addMessage(state: ReplState, { content, from }: UserMessage): ReplState {
  // It says what the screen shows anyway: the mode, the branch.
  if (from?.kind === "host") return state;
  const settled = settleText(state);
  if (from !== undefined)
    return withBlock(settled, {
      kind: "prompt",
      text: contentText(content),
      from: `${from.kind} ${from.name}`,
    });
  const typed = contentText(content.slice(0, 1));
  // The message may have masked secrets: then it is the one that waits longest.
  const at = Math.max(0, settled.waiting.indexOf(typed));
  const waiting = settled.waiting.filter((_, index) => index !== at);
  return withBlock({ ...settled, waiting }, { kind: "prompt", text: messageText(content) });
}
