import type { Approval } from "../../core/approval.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import type { Stopped, Task } from "../runtime/agent-runtime.ts";
import type { SuspectedLoop } from "../runtime/loop-guard.ts";
import { guardMessage } from "../runtime/messages.ts";

const QUESTION = "loop";

/**
 * Decides about a task that seems to repeat itself: the person is asked. If nobody can be asked, the model is told once, and the
 * task stops if it repeats itself again. No running call is ever ended.
 */
export async function handleLoop(task: Task, loop: SuspectedLoop): Promise<Stopped | undefined> {
  const { agent } = task;
  const { description, repeats } = loop;
  agent.emit({ type: "loop.suspected", description });
  const answer = await ask(task, description);
  const stopped = task.stopped();
  if (stopped !== undefined) return stopped;
  if (answer?.approved === true) {
    task.loopGuard.allowRepeats(repeats * 2);
    return undefined;
  }
  if (answer !== undefined || task.progress.isLoopReported) {
    const detail = answer === undefined ? description : `${description}; ${answer.reason}`;
    return { kind: "stopped", why: "loop", detail };
  }
  task.progress.isLoopReported = true;
  task.loopGuard.allowRepeats(repeats + 1);
  await agent.session.add(guardMessage("loop", advice(description)), agent.ledger.turn);
  return undefined;
}

/** Returns undefined if nobody can be asked. */
async function ask({ agent, signal }: Task, description: string): Promise<Approval | undefined> {
  const { options, states } = agent;
  if (options.ask === undefined) return undefined;
  const question = { text: `The agent seems to repeat itself: ${description}. Continue?` };
  states.questionAsked(QUESTION);
  try {
    return await untilAborted(options.ask(question, signal), signal);
  } catch {
    return undefined;
  } finally {
    states.questionAnswered(QUESTION);
  }
}

function advice(description: string): string {
  return (
    `[guard] You seem to repeat yourself: ${description}. The same call will give the same answer. Try something else, or report ` +
    "what prevents you from continuing; the task is stopped if the same happens again."
  );
}
