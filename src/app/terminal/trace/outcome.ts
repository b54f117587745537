import type { CallRecord } from "../../../core/store/journal.ts";
import { commandFailure } from "../print/command-failure.ts";

/** Returns ok, the failure of the command, the code of the error, or the state of a call without an answer. */
export function outcomeOf({ answer, state }: CallRecord): string {
  if (answer === null) return state;
  if (!answer.ok) return answer.error.code;
  const failure = commandFailure(answer);
  return failure === undefined ? "ok" : (failure.split(":", 1)[0] ?? failure);
}

export function durationText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "";
  if (milliseconds < 1000)
    return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}ms`;
  return milliseconds < 100_000
    ? `${(milliseconds / 1000).toFixed(1)}s`
    : `${Math.round(milliseconds / 60_000)}min`;
}
