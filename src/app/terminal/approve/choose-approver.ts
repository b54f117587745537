import type { Approver } from "../../../core/approval.ts";
import { createMasker } from "../../../util/text/mask.ts";
import { createApprovalQueue } from "../../../store/database/approval-queue.ts";
import type { ConfigFlags } from "../../config/config.ts";
import { firstAnswer } from "../../host/first-answer.ts";
import type { Opened } from "../../host/open-assembly.ts";
import { allowAll, createHeadlessApprover } from "./approvers.ts";
import type { World } from "../input/command.ts";
import { visible } from "../../../util/text/visible.ts";

export interface ApproverChoice extends Opened {
  /** False where standard input is not for answers. */
  readonly mayAsk: boolean;
}

/** A person at the terminal and whoever looks into the queue can both answer; the first answer is the one. */
export async function chooseApprover(
  flags: ConfigFlags,
  { isInteractive, stdin, stderr, output }: World,
  { mayAsk, store, config }: ApproverChoice,
): Promise<Approver> {
  if (flags["yes"] === true) return allowAll;
  const isSeen = isInteractive && mayAsk;
  if (!isSeen && flags["queue"] !== true) return createHeadlessApprover();
  const mask = createMasker(config.secrets).text;
  const queued = createApprovalQueue(store.collections, { mask }).approver;
  if (!isSeen) return tellingOf(queued, output.tell);
  const { createTerminalApprover } = await import("./terminal-approver.ts");
  return firstAnswer([createTerminalApprover({ stdin, stderr }), queued]);
}

/** Whoever started the call sees what it waits for. */
function tellingOf(approver: Approver, tell: (line: string) => void): Approver {
  return {
    ask(request, signal) {
      tell(`toolwright: ${visible(request.tool)} waits for an approval: run toolwright approve`);
      return approver.ask(request, signal);
    },
  };
}
