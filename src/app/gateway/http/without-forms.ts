import type { Gateway } from "../sessions/gateway.ts";

/** Returns the gateway for clients that may not approve: their approvals come to the queue, and no form that they answer counts. */
export function withoutForms(gateway: Gateway): Gateway {
  return {
    ...gateway,
    open(...given) {
      const session = gateway.open(...given);
      return { ...session, face: (...about) => ({ ...session.face(...about), approvals: "queue" }) };
    },
  };
}
