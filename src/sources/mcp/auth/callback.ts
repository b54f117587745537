import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError } from "../../../core/errors.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** Where an authorization server sends the user back to, on this machine and for one answer. */
export interface Callback {
  /** What the authorization server is told. */
  readonly url: string;
  /** Settles with what came back. Rejects where it does not belong to `state`, when the time is over and when the signal is aborted. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = "/callback";

/** Listens on this machine only, on the port or else on any. Rejects with a `ToolError` where the port is taken. */
export async function openCallback(port: number, timeoutMs: number): Promise<Callback> {
  const came = Promise.withResolvers<{ readonly given: URLSearchParams; readonly page: Page }>();
  const http = createServer((request, response) => {
    // Anybody on this machine can send anything: what is no address is not ours either.
    const { pathname, searchParams } = URL.parse(request.url ?? "/", "http://localhost") ?? {};
    const isAnswer = request.method === "GET" && pathname === PATH;
    if (!isAnswer || searchParams === undefined) return respond(response, 404, "There is nothing here.");
    return came.resolve({ given: searchParams, page: (...said) => respond(response, ...said) });
  });
  await listen(http, port);
  const { port: taken } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}${PATH}`,
    async answer(state, signal) {
      const { given, page } = await withinTime(came.promise, timeoutMs, signal);
      if (given.get("state") !== state) {
        page(400, "This answer does not belong to the login that was begun.");
        throw new ToolError("DENIED", "what came back does not belong to the login that was begun", {
          hint: "nothing was kept; begin again, and follow only the address that is printed",
        });
      }
      page(200, "That is all: go back to the terminal, and close this page.");
      return given;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeIdleConnections();
        // An answer that is on its way is handed over; a connection that says nothing is not waited for.
        setTimeout(() => http.closeAllConnections(), LINGER_MS).unref();
      }),
  };
}

type Page = (status: number, text: string) => void;

const LINGER_MS = 500;

function respond(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    })
    .end(`Toolwright: ${text}\n`);
}

function listen(http: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", (cause) =>
      reject(
        new ToolError("UNAVAILABLE", `nothing can listen on 127.0.0.1:${port}: ${cause.message}`, { cause }),
      ),
    );
    http.listen(port, "127.0.0.1", resolve);
  });
}

function withinTime<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const cancelled = untilAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new ToolError("CANCELLED", "the login was given up", { cause: error });
  });
  return withTimeout(cancelled, timeoutMs, () => {
    throw new ToolError("TOOL_TIMEOUT", `nobody logged in within ${timeoutMs / 1000} s`, {
      hint: "nothing was kept; begin again",
    });
  });
}
