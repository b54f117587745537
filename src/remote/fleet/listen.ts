import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The subscriptions of a connection. */
export interface Listening {
  /** Calls back with each message of a subject. */
  readonly listen: (subject: string, onMessage: (message: Msg) => void) => { readonly close: () => void };
  /** Rejects with `UNAUTHORIZED` if the servers have refused a subscription. */
  readonly whenAllowed: () => Promise<void>;
}

export function createListening(nc: NatsConnection): Listening {
  let refusal: Error | undefined;
  return {
    listen(subject, onMessage) {
      const subscription = nc.subscribe(subject, {
        callback(error, message) {
          if (error === null) onMessage(message);
          else refusal ??= error;
        },
      });
      return { close: () => subscription.unsubscribe() };
    },
    async whenAllowed() {
      await nc.flush();
      if (refusal === undefined) return;
      throw new ToolError("UNAUTHORIZED", `the fleet refused a subscription: ${errorMessage(refusal)}`, {
        cause: refusal,
        hint: "docs/fleet.md lists what a user of the servers must be allowed to do",
      });
    },
  };
}
