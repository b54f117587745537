import type { Delivery } from "./pull.ts";
import type { FleetKeys } from "../keys/sign.ts";
import { CLOCK_MS } from "../streams.ts";
import { HEAD, MESSAGE_ID, parseHead, SIGNATURE, type JobHead } from "../wire.ts";

export type CheckedHead =
  | { readonly head: JobHead }
  /** Why the call is refused, and its verdict if an engine has signed that. */
  | { readonly refusal: string; readonly signed?: JobHead };

/** Checks that an engine with the key allowed this call, now, for this namespace and pool. Its input is checked when it is loaded. */
export function checkHead(
  { headers }: Delivery,
  { verify }: FleetKeys,
  { namespace, pool }: Pick<JobHead, "namespace" | "pool">,
): CheckedHead {
  const text = headers?.get(HEAD) ?? "";
  const head = parseHead(text);
  if (head === undefined) return { refusal: "it has no verdict of an engine" };
  if (!verify("call", text, headers?.get(SIGNATURE) ?? ""))
    return { refusal: "its verdict is not signed with the key of this worker" };
  const refused = (refusal: string): CheckedHead => ({ refusal, signed: head });
  if (head.expiresAt + CLOCK_MS < Date.now()) return refused("its verdict has expired");
  // The same verdict in a message with another id, or in another namespace, would get past the server.
  if (headers?.get(MESSAGE_ID) !== head.key || head.namespace !== namespace || head.pool !== pool)
    return refused("its verdict is for another message");
  return { head };
}
