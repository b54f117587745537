import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The subscriptions of a connection. */
export type Listening = ReturnType<typeof createListening>;

export function createListening(nc: NatsConnection) {
  let refusal: Error | undefined;
  return {
    /** Calls back with each message of a subject, until it is closed; the connection is closed next. */
    listen: (subject: string, onMessage: (message: Msg) => void) => {
      let isOpen = true;
      nc.subscribe(subject, {
        callback(error, message) {
          if (error !== null) refusal ??= error;
          else if (isOpen) onMessage(message);
        },
      });
      // Nothing is sent: if the server has just ended, the client does not catch the error of a write before its close.
      return { close: (): void => void (isOpen = false) };
    },
    /** Rejects with `UNAUTHORIZED` if the servers have refused a subscription. */
    async whenAllowed(): Promise<void> {
      await nc.flush();
      if (refusal === undefined) return;
      throw new ToolError("UNAUTHORIZED", `the fleet refused a subscription: ${errorMessage(refusal)}`, {
        cause: refusal,
        hint: "docs/fleet.md lists what a user of the servers must be allowed to do",
      });
    },
  };
}
