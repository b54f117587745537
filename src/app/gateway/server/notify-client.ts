import type { Server } from "@modelcontextprotocol/server";
import { isAtLeast } from "../calls/reports.ts";
import type { ClientListener, LogLevel } from "../types/gateway-types.ts";

/** Returns a listener that sends notifications through a client's server; for a client that has left it does nothing. */
export function notifyThrough(server: () => Server | undefined, level: LogLevel): ClientListener {
  const ignoreFailure = (sent: Promise<void> | undefined): void => void sent?.catch(() => undefined);
  return {
    changed(list) {
      const current = server();
      if (list === "tools") ignoreFailure(current?.sendToolListChanged());
      else if (list === "resources") ignoreFailure(current?.sendResourceListChanged());
      else ignoreFailure(current?.sendPromptListChanged());
    },
    log(at, data) {
      if (!isAtLeast(at, level.current)) return;
      const params = { level: at, logger: "toolwright", data };
      ignoreFailure(server()?.notification({ method: "notifications/message", params }));
    },
  };
}
