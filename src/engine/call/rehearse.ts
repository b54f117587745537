import type { Fault } from "../../core/result.ts";
import { HOST } from "../../core/spec.ts";
import { toFault } from "../../util/json/fault.ts";
import { required, type CallState } from "./call-state.ts";

/**
 * Returns the fault with which the tool says that a call cannot work, before a person is asked about it; undefined if the call may
 * work, or would not run on this machine itself.
 */
export async function rehearse(state: CallState, place: string): Promise<Fault | undefined> {
  const { tool, input } = required(state.job, "job");
  if (tool.rehearse === undefined || place !== HOST) return undefined;
  try {
    await state.orCancelled(tool.rehearse(input, state.context));
    return undefined;
  } catch (error) {
    return toFault(error);
  }
}
