import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { HiddenHosts, RefusedWrites, type IsHidden } from "../../../core/session/hidden-paths.ts";
import type { Refused } from "../../../system/fetch/forward-proxy.ts";
import { createGuard, type Guard } from "../../../system/fetch/guard.ts";
import type { BrowserOptions } from "./options.ts";

/** What the pages of a session may reach and write, by the call that runs. */
export interface CallNetwork {
  readonly guard: Guard;
  /** Takes the rules of a call that begins. */
  begin(context: Pick<ToolContext, "find" | "facts">): void;
  /** Throws for a host that needs approval, until a call that names it was approved. */
  readonly checkHost: (host: string) => void;
  readonly refusesWrite: IsHidden;
  readonly onRefused: (refused: Refused) => void;
  /** The connections that were refused, or could not be made, during this call. */
  readonly refused: () => readonly Refused[];
}

export function createCallNetwork(web: BrowserOptions["web"]): CallNetwork {
  let isHidden: IsHidden | undefined;
  let refusesWrite: IsHidden | undefined;
  let refused: readonly Refused[] = [];
  /** Hosts of calls that policy has allowed. */
  const allowed = new Set<string>();
  return {
    guard: createGuard(web),
    begin(context) {
      isHidden = context.find(HiddenHosts);
      refusesWrite = context.find(RefusedWrites);
      for (const fact of context.facts) if (fact.kind === "host") allowed.add(fact.host);
      refused = [];
    },
    checkHost(host) {
      if (allowed.has(host) || isHidden?.(host) !== true) return;
      throw new ToolError(
        "DENIED",
        `not connecting to ${host}, which a rule denies or requires approval for`,
        {
          hint: `navigate to ${host} to ask for approval`,
        },
      );
    },
    refusesWrite: (path) => refusesWrite?.(path) === true,
    onRefused(one) {
      refused = [...refused, one];
    },
    refused: () => refused,
  };
}
