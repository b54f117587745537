import { callsOf } from "../../core/agent/message.ts";
import { ToolError } from "../../core/errors.ts";
import type { Errand, Report } from "../../core/agent/team.ts";
import type { AgentListener } from "../runtime/agent-events.ts";
import type { Crew } from "./members/crew.ts";
import { cancelMember } from "./end-member.ts";
import { hire } from "./hire.ts";
import type { End, Member } from "./members/member.ts";
import { toSender, work } from "./work.ts";

/** Has a new agent work on an errand to its end. It and everybody below it has ended when this settles. */
export async function delegate(crew: Crew, errand: Errand): Promise<Report> {
  const { by, task, tools, maxTurns, signal, emit } = errand;
  signal.throwIfAborted();
  const member = await hire(crew, {
    by,
    name: "subagent",
    task,
    isErrand: true,
    ...(tools !== undefined && { tools }),
    ...(maxTurns !== undefined && { maxTurns }),
  });
  const cancel = (): void => void cancelMember(crew, member, "the call was cancelled");
  const stopTelling = member.agent?.on(tellTurns(member, emit));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    else void work(crew, member, task, { from: toSender(by), signal: member.cancelling.signal });
    return toReport(member, await member.ended.promise);
  } finally {
    signal.removeEventListener("abort", cancel);
    stopTelling?.();
  }
}

/** A word for each turn, and the names of the calls that it makes. */
function tellTurns({ identity, budget }: Member, emit: Errand["emit"]): AgentListener {
  const total = budget.turns === undefined ? {} : { total: budget.turns };
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
  throw new ToolError(isCancelled ? "CANCELLED" : "TOOL_FAILED", text, {
    details: { agent_id: id, turns, calls },
  });
}
