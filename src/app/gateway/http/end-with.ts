import type { ServerResponse } from "node:http";
import { onAbort } from "../../../util/async/on-abort.ts";
import type { Caller } from "../../host/people/caller.ts";

/** How long a request has to answer that its call was cancelled. */
const GRACE_MS = 300;

/** Breaks off a request, with what it waits for and streams, when its caller no longer counts. */
export function endWith({ ended }: Caller, outgoing: ServerResponse): void {
  if (ended === undefined) return;
  // It may have ended while the request was being admitted.
  if (ended.aborted) return void outgoing.destroy();
  const stop = onAbort(ended, () => setTimeout(() => outgoing.destroy(), GRACE_MS).unref());
  outgoing.once("close", stop);
}
