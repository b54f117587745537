import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError } from "../../../core/errors.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** A local HTTP endpoint that receives one redirect from an authorization server. */
export type Callback = Awaited<ReturnType<typeof openCallback>>;

export interface CallbackOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly timeoutMs: number;
  /** A request with any other `state` is refused, and does not end the login. */
  readonly state: string;
}

const PATH = "/callback";

/** Listens on 127.0.0.1. Rejects with a `ToolError` if the port is in use. */
export async function openCallback({ port, timeoutMs, state }: CallbackOptions) {
  // Imported on use: importing it loads the HTTP client of Node as well.
  const { createServer } = await import("node:http");
  const redirected = Promise.withResolvers<URLSearchParams>();
  const http = createServer((request, response) => {
    // Any local process, and any page in the browser, can send a request, also one whose URL does not parse.
    const { pathname, searchParams } = URL.parse(request.url ?? "/", "http://localhost") ?? {};
    const isAnswer = request.method === "GET" && pathname === PATH;
    if (!isAnswer || searchParams === undefined) return respond(response, 404, "Not found.");
    if (searchParams.get("state") !== state)
      return respond(response, 400, "This response does not belong to the login in progress.");
    redirected.resolve(searchParams);
    return respond(response, 200, "Logged in. You can close this page and return to the terminal.");
  });
  await once(http.listen(port, "127.0.0.1"), "listening").catch((cause: Error) => {
    throw new ToolError("UNAVAILABLE", `cannot listen on 127.0.0.1:${port}: ${cause.message}`, { cause });
  });
  // An error with a later connection does not end the login.
  http.on("error", () => undefined);
  const { port: bound } = http.address() as AddressInfo;
  return {
    /** The redirect URL to register at the authorization server. */
    url: `http://127.0.0.1:${bound}${PATH}`,
    /** Resolves with the query parameters of the redirect. Rejects on timeout, and when the signal is aborted. */
    answer: (signal: AbortSignal): Promise<URLSearchParams> =>
      withinTime(redirected.promise, timeoutMs, signal),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeIdleConnections();
        // A response in flight is delivered; idle connections are not waited for.
        setTimeout(() => http.closeAllConnections(), LINGER_MS).unref();
      }),
  };
}

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

function withinTime<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const cancelled = untilAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new ToolError("CANCELLED", "the login was cancelled", { cause: error });
  });
  return withTimeout(cancelled, timeoutMs, () => {
    throw new ToolError("TOOL_TIMEOUT", `timed out: no login within ${timeoutMs / 1000} s`, {
      hint: "nothing was saved; log in again",
    });
  });
}
