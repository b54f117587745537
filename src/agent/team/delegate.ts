import { callsOf } from "../../core/agent/message.ts";
import { ToolError } from "../../core/errors.ts";
import type { DelegatedTask, Report } from "../../core/agent/team.ts";
import { defined } from "../../util/json/defined.ts";
import type { AgentListener } from "../runtime/agent-events.ts";
import { cancelMember } from "./end-member.ts";
import type { End, Member } from "./member.ts";
import { toSender } from "./run-member.ts";
import { spawn } from "./spawn.ts";
import type { TeamState } from "./team-state.ts";

/** Has a new agent work on a task to its end. It and all agents below it have ended when this settles. */
export async function delegate(team: TeamState, delegated: DelegatedTask): Promise<Report> {
  const { by, task, tools, maxTurns, signal, emit } = delegated;
  signal.throwIfAborted();
  const job = { by, name: "subagent", task, isDelegated: true, ...defined({ tools, maxTurns }) };
  const { member, agent } = await spawn(team, job);
  const cancel = (): void => void cancelMember(team, member, "the call was cancelled");
  const stopProgress = agent.on(emitProgress(member, emit));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    else void agent.send(task, { from: toSender(by), signal: member.cancelling.signal });
    return toReport(member, await member.ended.promise);
  } finally {
    signal.removeEventListener("abort", cancel);
    stopProgress();
  }
}

/** Emits progress for each turn and the names of its calls. */
function emitProgress({ identity, budget }: Member, emit: DelegatedTask["emit"]): AgentListener {
  const total = defined({ total: budget.turns });
  let turn = 0;
  return (event) => {
    if (event.type === "turn.started") {
      turn += 1;
      emit({ message: `${identity.id}: turn ${turn}`, done: turn, ...total });
    }
    if (event.type !== "message.added" || event.message.role !== "assistant") return;
    const calls = callsOf(event.message).map(({ name }) => name);
    if (calls.length > 0) emit({ message: `${identity.id}: ${calls.join(", ")}`, data: { calls } });
  };
}

function toReport({ identity: { id } }: Member, { state, text, outcome, spent }: End): Report {
  const { turns, calls } = spent;
  if (state === "done") return { agentId: id, text, turns, calls };
  const isCancelled = outcome?.kind === "stopped" && outcome.why === "cancelled";
  const details = { agent_id: id, turns, calls };
  throw new ToolError(isCancelled ? "CANCELLED" : "TOOL_FAILED", text, { details });
}
