import type { Server } from "@modelcontextprotocol/server";
import type { ClientListener, Level } from "../clients/gateway.ts";
import { isTold } from "./tell-client.ts";

/** Tells a client through its server what it has not asked for; a client that is gone hears nothing. */
export function listenerOf(
  server: () => Server | undefined,
  level: { readonly current: Level },
): ClientListener {
  const quietly = (sent: Promise<void> | undefined): void => void sent?.catch(() => undefined);
  return {
    changed(what) {
      const one = server();
      if (what === "tools") quietly(one?.sendToolListChanged());
      else if (what === "resources") quietly(one?.sendResourceListChanged());
      else quietly(one?.sendPromptListChanged());
    },
    log(at, data) {
      if (!isTold(at, level.current)) return;
      const params = { level: at, logger: "toolwright", data };
      quietly(server()?.notification({ method: "notifications/message", params }));
    },
  };
}
