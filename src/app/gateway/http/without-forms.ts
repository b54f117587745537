import type { Gateway } from "../sessions/gateway.ts";

/** Returns the gateway for clients that may not approve: their approvals come to the queue, and they are shown no form. */
export function withoutForms(gateway: Gateway): Gateway {
  return {
    ...gateway,
    open: (ceilings, listener) => gateway.open(ceilings, listener, { mayApprove: false }),
  };
}
