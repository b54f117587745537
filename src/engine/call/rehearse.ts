import type { Job } from "../../core/job.ts";
import type { Fault } from "../../core/result.ts";
import { HOST } from "../../core/spec.ts";
import { toFault } from "../../util/json/fault.ts";
import { required, type CallState } from "./call-state.ts";

/**
 * Returns the fault with which the tool says that a call cannot work, before a person is asked about it; undefined if the call may
 * work, or would not run on this machine itself. `mayRun` returns whether policy allows a job without a question.
 */
export async function rehearse(
  state: CallState,
  place: string,
  mayRun: (job: Job) => boolean,
): Promise<Fault | undefined> {
  const job = required(state.job, "job");
  const { tool, input, facts } = job;
  if (tool.rehearse === undefined || place !== HOST) return undefined;
  try {
    const mayRead = facts.every(({ kind }) => kind === "path") && mayRun(toRead(job));
    await state.orCancelled(tool.rehearse(input, state.context, { mayRead }));
    return undefined;
  } catch (error) {
    return toFault(error);
  }
}

/** Returns a job that only reads the files that a job touches. */
function toRead(job: Job): Job {
  const facts = job.facts.map((fact) => {
    if (fact.kind !== "path") return fact;
    const { change: _change, unread: _unread, ...path } = fact;
    return { ...path, access: "read" as const };
  });
  return { ...job, facts, risk: "low" };
}
