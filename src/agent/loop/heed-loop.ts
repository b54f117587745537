import type { Approval } from "../../core/approval.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import type { Suspicion } from "../parts/loop-guard.ts";
import { guardMessage } from "../parts/message-text.ts";
import type { Stopped, Task } from "../parts/task.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

const QUESTION = "loop";

/**
 * What becomes of a task that seems to go in circles: whoever can be asked decides. Where nobody can, the model is told, once;
 * if it goes on all the same, the task stops. No call is ever ended for it.
 */
export async function heedLoop(
  agent: AgentParts,
  task: Task,
  { description, repeats }: Suspicion,
): Promise<Stopped | undefined> {
  agent.tell({ type: "loop.suspected", description });
  const answer = await ask(agent, task, description);
  const stopped = task.stopped();
  if (stopped !== undefined) return stopped;
  if (answer?.approved === true) {
    // Whoever let it go on is not asked again at once.
    task.loopGuard.wait(repeats * 2);
    return undefined;
  }
  if (answer !== undefined || task.course.isTold) return stoppedFor(description, answer);
  task.course.isTold = true;
  task.loopGuard.wait(repeats + 1);
  await agent.session.add(guardMessage("loop", advice(description)), agent.ledger.turn);
  return undefined;
}

/** Undefined where there is nobody to ask. */
async function ask(
  { options, states }: AgentParts,
  { signal }: Task,
  description: string,
): Promise<Approval | undefined> {
  if (options.ask === undefined) return undefined;
  const question = { text: `The agent seems to go in circles: ${description}. Shall it go on?` };
  states.asked(QUESTION);
  try {
    return await untilAborted(options.ask(question, signal), signal);
  } catch {
    return undefined;
  } finally {
    states.answered(QUESTION);
  }
}

function advice(description: string): string {
  return (
    `[guard] You seem to go in circles: ${description}. Doing it again will change nothing. Try something else, or say what ` +
    "keeps you from going on; if the same comes again, the task is stopped."
  );
}

function stoppedFor(description: string, answer: Approval | undefined): Stopped {
  const reason = answer?.approved === false ? `${description}; ${answer.reason}` : description;
  return { kind: "stopped", why: "loop", detail: reason };
}
