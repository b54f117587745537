import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import type { AgentState } from "../core/agent/team.ts";
import { currentGoals } from "../tools/memory/goals/goals.ts";
import { agentConversation } from "./parts/agent-conversation.ts";
import type { AgentListeners } from "./parts/agent-listeners.ts";
import type { AgentParts, Goals } from "./parts/agent-parts.ts";
import type { AgentStates } from "./parts/agent-states.ts";
import { createAgentStates } from "./parts/agent-states.ts";
import type { Budget } from "./budget/limits/budget.ts";
import { createOutputCheck } from "./parts/check-output.ts";
import type { HeldSession } from "./parts/held-session.ts";
import { holdSession } from "./parts/held-session.ts";
import { createLedger } from "./budget/limits/ledger.ts";
import { maskMessage } from "./parts/mask-message.ts";
import type { AgentOptions } from "./parts/running-agent.ts";
import { conversationOf } from "./sessions/conversation-of.ts";
import { openTranscripts } from "./sessions/open-transcripts.ts";
import { ownSession } from "./sessions/own-session.ts";
import { settleCalls } from "./sessions/settle-calls.ts";

/** What the running agent says to its parts. */
export interface AgentWiring {
  readonly tell: AgentListeners["tell"];
  readonly model: () => Model;
  readonly doBetweenTurns: AgentParts["doBetweenTurns"];
}

/** Opens the session, or takes it up where it was left, and answers the calls that were left open. */
export async function openAgent(options: AgentOptions, wiring: AgentWiring): Promise<AgentParts> {
  const { outputSchema } = options;
  const { tell } = wiring;
  checkPrice(wiring.model(), options.budget);
  const checkOutput = outputSchema === undefined ? undefined : createOutputCheck(outputSchema);
  const { session, info, kept } = await openSession(options, tell);
  const goals = createGoals(options);
  const states = createStates(session, info.state, tell);
  const agent: AgentParts = {
    options,
    session,
    states,
    ledger: createLedger(kept, wiring.model()),
    goals,
    conversation: agentConversation({ options, session, goals }),
    checkOutput,
    model: wiring.model,
    tell,
    doBetweenTurns: wiring.doBetweenTurns,
  };
  try {
    await settleOpenCalls(agent);
    if (!AT_REST.has(states.current)) await states.enter("idle", "the session was taken up again");
    return agent;
  } catch (error) {
    await session.close();
    throw error;
  }
}

const AT_REST: ReadonlySet<AgentState> = new Set(["idle", "done", "failed"]);

/** Throws where a budget of money is given for a model of which nobody knows what it costs. */
export function checkPrice({ id, price }: Model, budget: Budget | undefined): void {
  if (budget?.money === undefined || price !== undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `a budget of money needs a price, and nobody has said what ${id} costs`,
    {
      hint: "set the model's price, or limit tokens instead",
    },
  );
}

/** Answers the calls that nobody has answered: their process ended first, or their answers could not be kept. */
export async function settleOpenCalls({ options, session, ledger }: AgentParts): Promise<void> {
  const messages = session.messages().map(({ message }) => message);
  const answers = await settleCalls(messages, options.journal, session.id);
  if (answers !== undefined) await session.add(answers, ledger.turn);
}

async function openSession(options: AgentOptions, tell: AgentListeners["tell"]) {
  const { collections, session: id, identity, workspace, model, engine } = options;
  const transcripts = openTranscripts(collections);
  const letGo = await ownSession(collections, id);
  const wanted = { id, agent: identity, workspace, model: model.id };
  const { info, entries } = await transcripts.open(wanted).catch(async (error: unknown) => {
    await letGo();
    throw error;
  });
  const session = holdSession({
    id,
    transcripts,
    entries,
    letGo,
    added: (message) => tell({ type: "message.added", message: maskMessage(message, engine.masker.text) }),
  });
  return { session, info, kept: conversationOf(entries) };
}

function createStates(session: HeldSession, first: AgentState, tell: AgentListeners["tell"]): AgentStates {
  return createAgentStates({
    first,
    changed(state, reason) {
      const why = reason === undefined ? {} : { reason };
      tell({ type: "agent.state", state, ...why });
      return session.keep({ kind: "state", state, ...why });
    },
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
