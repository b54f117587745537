import type { Delivery } from "./pull.ts";
import type { Verify } from "./sign.ts";
import { HEAD, hashOfInput, MESSAGE_ID, parseHead, SIGNATURE, type JobHead } from "./wire.ts";

export type CheckedHead =
  | { readonly head: JobHead }
  /** Why the call is refused, and the engine that claims to have sent it. */
  | { readonly refusal: string; readonly claimed: JobHead | undefined };

/** How far the clocks of engines and workers may differ. */
const CLOCK_MS = 5000;

/** Checks that an engine with the key allowed this call, now, for this namespace and pool. Its input is checked when it is loaded. */
export function checkHead(
  { headers }: Delivery,
  verify: Verify,
  { namespace, pool }: Pick<JobHead, "namespace" | "pool">,
): CheckedHead {
  const text = headers?.get(HEAD) ?? "";
  const head = parseHead(text);
  const refused = (refusal: string): CheckedHead => ({ refusal, claimed: head });
  if (head === undefined) return refused("it has no verdict of an engine");
  if (!verify(text, headers?.get(SIGNATURE) ?? ""))
    return refused("its verdict is not signed with the key of this worker");
  if (head.expiresAt + CLOCK_MS < Date.now()) return refused("its verdict has expired");
  // The same verdict in a message with another id, or in another namespace, would get past the server.
  if (headers?.get(MESSAGE_ID) !== head.key || head.namespace !== namespace || head.pool !== pool)
    return refused("its verdict is for another message");
  return { head };
}

/** Returns true if the input is the one that the engine allowed. */
export function isAllowedInput(head: JobHead, input: Uint8Array): boolean {
  return hashOfInput(input) === head.hash;
}
