import { ToolError } from "../../core/errors.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import type { Crew } from "./members/crew.ts";
import { cancelBelow, cancelled } from "./end-member.ts";
import type { Member } from "./members/member.ts";
import { work } from "./work.ts";

/** The root as its host holds it: what is done to it is done to everybody below it. */
export function rootAgent(
  crew: Crew,
  { agent, member, close }: { agent: RunningAgent; member: Member; close: () => Promise<void> },
): RunningAgent {
  return {
    identity: agent.identity,
    session: agent.session,
    get state() {
      return agent.state;
    },
    send: (message, options) => work(crew, member, message, options),
    cancel(reason = "cancelled") {
      const isBusy = member.runs > 0 || member.children.size > 0;
      void cancelRoot(crew, member, reason);
      return isBusy;
    },
    messages: () => agent.messages(),
    spent: () => agent.spent(),
    use: (model) => agent.use(model),
    compact: (signal) => agent.compact(signal),
    on: (listener) => agent.on(listener),
    close,
  };
}

/** Cancels what the root does and everybody below it; the root itself stays. */
export async function cancelRoot(crew: Crew, member: Member, reason: string): Promise<void> {
  member.agent?.cancel(reason);
  // What those below it lose shall not wake it.
  member.last = cancelled(reason);
  await cancelBelow(crew, member, reason);
}

/** Ends the root and everybody below it. What it has not read stays kept. */
export async function closeRoot(crew: Crew, member: Member): Promise<void> {
  const { agent, cancelling, mailbox } = member;
  cancelling.abort(new ToolError("CANCELLED", "the team is closed"));
  await cancelRoot(crew, member, "the team is closed");
  // One that is just being opened ends when it is open.
  if (agent === undefined) return void (await member.ended.promise);
  const spent = agent.spent();
  member.stopListening();
  await agent.close().catch(() => undefined);
  mailbox.close();
  member.agent = undefined;
  member.end = { state: "done", text: "", outcome: member.last, spent };
  crew.roster.retire(member);
  member.ended.resolve(member.end);
}
