import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import type { AgentState } from "../core/agent/team.ts";
import { currentGoals, describeGoals } from "../tools/memory/goals/goals.ts";
import { isObject } from "../core/json.ts";
import { unknownName } from "../util/text/near-hint.ts";
import { defined } from "../util/json/defined.ts";
import { LIMITS, type Budget } from "./budget/budget.ts";
import { createLedger } from "./budget/ledger.ts";
import type { AgentListeners } from "./runtime/agent-events.ts";
import type { AgentRuntime, Goals } from "./runtime/agent-runtime.ts";
import { AT_REST, createAgentStates, type AgentStates } from "./runtime/agent-states.ts";
import { createToolOrigins } from "./runtime/tool-origins.ts";
import { createSystemPrompt } from "./prompt/system-prompt.ts";
import { createOutputCheck } from "./runtime/check-output.ts";
import { maskMessage } from "./runtime/messages.ts";
import type { AgentOptions } from "./runtime/running-agent.ts";
import { conversationOf } from "./sessions/conversation-of.ts";
import { createLiveSession, type LiveSession } from "./sessions/live-session.ts";
import { openTranscripts } from "./sessions/open-transcripts.ts";
import { ownSession } from "./sessions/own-session.ts";
import { settleCalls } from "./sessions/open-calls.ts";
import type { Conversation, Said } from "../core/agent/conversation.ts";
import type { Message } from "../core/agent/message.ts";
import { contentText } from "../util/text/content-text.ts";

/** What the agent's handle supplies to its runtime. */
type AgentWiring = Pick<AgentRuntime, "emit" | "model" | "runBetweenTurns">;

/** Opens or resumes the session and answers the calls that an earlier process left open. */
export async function openAgent(options: AgentOptions, wiring: AgentWiring): Promise<AgentRuntime> {
  const { outputSchema } = options;
  const { emit, model } = wiring;
  checkOptions(options);
  checkModel(model(), options.budget);
  const checkOutput = outputSchema === undefined ? undefined : await createOutputCheck(outputSchema);
  const { session, info, stored } = await openSession(options, emit);
  const goals = createGoals(options);
  const states = createStates(session, info.state, emit);
  const agent: AgentRuntime = {
    ...wiring,
    options,
    session,
    states,
    ledger: createLedger(stored, model(), session.append),
    goals,
    prompt: createSystemPrompt({ options, session, readGoals: () => goals.read() }),
    markOrigins: createToolOrigins(),
    conversation: agentConversation({ options, session, goals }),
    checkOutput,
    counted: { inputTokens: undefined },
    late: new Set(),
  };
  try {
    await settleOpenCalls(agent);
    if (!AT_REST.has(states.current)) await states.enter("idle", "the session was resumed");
    return agent;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Throws for values that TypeScript would reject: with them, a stored session could not be read again, or a budget would limit nothing. */
function checkOptions({ session, workspace, instructions, budget = {} }: AgentOptions): void {
  for (const [name, value] of Object.entries({ session, workspace }))
    if (typeof value !== "string")
      throw invalid(`createAgent: ${name}: expected a text, got ${typeof value}`);
  if (typeof instructions !== "string" && !isParts(instructions))
    throw invalid(
      `createAgent: instructions: expected a text or a list of parts, got ${typeof instructions}`,
    );
  if (!isObject(budget)) throw invalid(`createAgent: budget: expected an object, got ${typeof budget}`);
  for (const [name, limit] of Object.entries(budget)) {
    if (!LIMITS.some((known) => known === name))
      throw unknownName(
        `createAgent: unknown limit "${name}" of the budget`,
        name,
        LIMITS,
        `use ${LIMITS.join(", ")}`,
      );
    if (limit !== undefined && !(Number(limit) === limit))
      throw invalid(`createAgent: budget.${name}: expected a number, got ${JSON.stringify(limit)}`);
  }
}

function isParts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => isObject(one) && typeof one["name"] === "string" && typeof one["text"] === "string")
  );
}

/** Throws if this is no model, or if a budget limits money and the model's price is not known. */
export function checkModel(model: Model, budget: Budget | undefined): void {
  if (typeof model?.stream !== "function")
    throw invalid("expected a model", "open one: await openModel(id, { environment })");
  if (budget?.money === undefined || model.price !== undefined) return;
  const message = `a budget of money needs a price, and the price of ${model.id} is not known`;
  throw invalid(message, "set the model's price, or limit tokens instead");
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint });
}

/** Answers calls without a result: their process ended first, or their results could not be stored. */
export async function settleOpenCalls({ options, session, ledger }: AgentRuntime): Promise<void> {
  const messages = session.messages().map(({ message }) => message);
  const answers = await settleCalls(messages, options.journal, session.id);
  if (answers !== undefined) await session.add(answers, ledger.turn);
}

async function openSession(options: AgentOptions, emit: AgentListeners["emit"]) {
  const { collections, session: id, identity, workspace, model, engine } = options;
  const transcripts = openTranscripts(collections);
  const release = await ownSession(collections, id);
  const wanted = { id, agent: identity, workspace, model: model.id };
  const { info, entries } = await transcripts.open(wanted).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const session = createLiveSession({
    id,
    transcripts,
    entries,
    release,
    added: (message) => emit({ type: "message.added", message: maskMessage(message, engine.masker.text) }),
  });
  return { session, info, stored: conversationOf(entries) };
}

function createStates(session: LiveSession, first: AgentState, emit: AgentListeners["emit"]): AgentStates {
  return createAgentStates(first, (state, reason) => {
    const body = { state, ...defined({ reason }) };
    emit({ type: "agent.state", ...body });
    return session.append({ kind: "state", ...body });
  });
}

function createGoals({ collections, session }: AgentOptions): Goals {
  let book: ReturnType<Goals["book"]> = { goals: [], decisions: [] };
  return {
    book: () => book,
    async read() {
      book = await currentGoals(collections, session);
      return book;
    },
  };
}

/** Exposes an agent's session to its own tools; text is masked. */
function agentConversation(agent: Pick<AgentRuntime, "options" | "session" | "goals">): Conversation {
  const { options, session, goals } = agent;
  const { masker } = options.engine;
  return {
    messages: () =>
      session.messages().map(({ seq, message }) => toSaid(maskMessage(message, masker.text), seq === 0)),
    goals: () => describeGoals(goals.book().goals.filter(({ status }) => status !== "completed")),
    decisions: () =>
      goals.book().decisions.map(({ description, rationale }) => `${description}\n${rationale}`),
    replaceInstructions: (parts, { keepsHistory }) =>
      session.replace({ kind: "instructions", parts, keepsHistory }),
  };
}

function toSaid(message: Message, isSummary: boolean): Said {
  if (message.role === "user")
    return { role: isSummary ? "system" : "user", text: contentText(message.content) };
  if (message.role === "tool") {
    const answers = message.results.map(({ name, content }) => `[${name}]\n${contentText(content)}`);
    return { role: "tool", text: answers.join("\n") };
  }
  const pieces = message.parts.flatMap((part) => {
    if (part.type === "reasoning") return [];
    return part.type === "text"
      ? [part.text]
      : [`[call ${part.call.name} ${JSON.stringify(part.call.input)}]`];
  });
  return { role: "assistant", text: pieces.join("\n") };
}
