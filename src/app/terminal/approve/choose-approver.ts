import type { Approver } from "../../../core/approval.ts";
import type { ConfigFlags } from "../../config/config.ts";
import { firstAnswer } from "../../host/first-answer.ts";
import type { Opened } from "../../host/open-host.ts";
import type { World } from "../input/command.ts";
import { visible } from "../../../util/text/visible.ts";
import { createTerminalApprover } from "./terminal-approver.ts";

interface ApproverChoice extends Pick<Opened, "queue"> {
  /** False if standard input is not for answers. */
  readonly mayAsk: boolean;
  /** Called on Ctrl-C at a question. */
  readonly onInterrupt?: (() => void) | undefined;
}

/** Returns the approver that the flags choose. On a terminal, the person there and `toolwright approve` can both answer; the first answer counts. */
export async function chooseApprover(
  flags: ConfigFlags,
  world: World,
  { mayAsk, queue, onInterrupt }: ApproverChoice,
): Promise<Approver> {
  if (flags["yes"] === true) return allowAll;
  const isSeen = world.isInteractive && mayAsk;
  if (!isSeen && flags["queue"] !== true) return createHeadlessApprover();
  if (!isSeen) return announcing(queue, world.output.log);
  return firstAnswer([createTerminalApprover(world, onInterrupt), queue]);
}

/** Prints a line about each request that waits in the queue. */
function announcing(approver: Approver, print: (line: string) => void): Approver {
  return {
    ask(request, signal) {
      print(`toolwright: ${visible(request.tool)} waits for approval: run toolwright approve`);
      return approver.ask(request, signal);
    },
  };
}

/** Approves every request. Calls that policy denies are never requested. */
const allowAll: Approver = { ask: () => Promise.resolve({ approved: true, scope: "once" }) };

/** Denies every request, with a hint how to allow the call. */
function createHeadlessApprover(): Approver {
  return {
    ask: () =>
      Promise.resolve({
        approved: false,
        reason: "there is no terminal to prompt on",
        hint:
          "to allow it, add --yes for this call, --queue to wait for toolwright approve, " +
          "or --mode yolo to allow every call",
      }),
  };
}
