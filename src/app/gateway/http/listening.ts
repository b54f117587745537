import { once } from "node:events";
import type { Server as HttpServer, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError } from "../../../core/errors.ts";
import { systemCode } from "../../../system/paths/file-fault.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { bracketed } from "./http-guard.ts";

/** A server that listens. `await using` closes it. */
export interface ServedHttp extends AsyncDisposable {
  /** Includes the token. */
  readonly address: string;
  close(): Promise<void>;
}

/** How long the answers of cancelled calls may take when the server ends. */
const STOPPED_MS = 10_000;

/** Tracks the responses that are not sent whole. */
export function createUnanswered() {
  const open = new Map<ServerResponse, Promise<unknown>>();
  return {
    add(response: ServerResponse): void {
      const closed = once(response, "close").finally(() => open.delete(response));
      open.set(response, closed);
      closed.catch(() => undefined);
    },
    none: () => withTimeout(Promise.allSettled(open.values()), STOPPED_MS, () => undefined),
  };
}

/** Returns the port that the server listens on. Throws if it cannot. */
export async function listening(server: HttpServer, host: string, port: number): Promise<number> {
  await once(server, "listening").catch((cause: unknown) => {
    const what = `cannot listen on ${bracketed(host)}:${port}: ${errorMessage(cause)}`;
    const isTaken = systemCode(cause) === "EADDRINUSE";
    const hint = isTaken ? "choose another port, or 0 for any free port" : undefined;
    throw new ToolError("UNAVAILABLE", what, { ...defined({ hint }), cause });
  });
  return (server.address() as AddressInfo).port;
}
