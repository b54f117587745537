import type { ServerResponse } from "node:http";
import { LISTEN } from "../server/listen-method.ts";

/** A longer body is refused. */
export const MAX_BODY = 32 * 1024 * 1024;

export interface AdmissionLimits {
  /** Requests that may run calls and are not answered; those that wait for their turn or for approval count too. */
  readonly requests: number;
  /** Requests that are worked on at once; others wait in the order in which they came. */
  readonly turns: number;
  /** A request that takes longer lets the next one begin: it waits for something else than this process. */
  readonly turnMs: number;
  /** Open streams of events. */
  readonly listeners: number;
  /** The bodies of unanswered requests. */
  readonly bytes: number;
}

const LIMITS: AdmissionLimits = {
  requests: 1024,
  turns: 32,
  turnMs: 250,
  listeners: 1000,
  bytes: 256 * 1024 * 1024,
};
/** When a refused client may try again, in seconds. */
const RETRY_AFTER = 1;
/** The operations that run calls. Others, such as cancelling a call, are admitted whatever the load. */
const CALLS = new Set(["/api/calls", "/execute", "/mcp"]);
const STREAMS = new Set(["/api/events", "/mcp"]);

/** Decides which requests a server accepts: what a server holds for its clients is bounded, and no client is served long before another. */
export function createAdmission(limits: AdmissionLimits = LIMITS) {
  const held = { requests: 0, listeners: 0, bytes: 0 };
  const turns = createTurns(limits.turns, limits.turnMs);
  const refusalOf = (kind: "requests" | "listeners", bytes: number): Response | undefined => {
    if (held[kind] >= limits[kind])
      return refuse(429, `the server has ${limits[kind]} open ${kind}, which is its limit`);
    if (held.bytes + bytes > limits.bytes)
      return refuse(503, `the bodies of open requests exceed ${limits.bytes} bytes`);
    return undefined;
  };
  return {
    /** Answers a request with `work`, when it is its turn, or refuses it. A client that leaves before its turn is dropped, and `work` is not called. */
    async admit(
      request: Request,
      outgoing: ServerResponse,
      work: () => Promise<Response>,
    ): Promise<Response> {
      const kind = kindOf(request);
      if (kind === undefined) return work();
      const bytes = bytesOf(request);
      const refusal = refusalOf(kind, bytes);
      if (refusal !== undefined) return refusal;
      held[kind] += 1;
      held.bytes += bytes;
      const left = new AbortController();
      // Also fires for a response that was sent whole, and for a stream when it ends.
      outgoing.once("close", () => {
        held[kind] -= 1;
        held.bytes -= bytes;
        left.abort();
      });
      if (kind === "listeners") return work();
      return turns.take(left.signal, work, () => refuse(503, "the client has left"));
    },
    held: (): Readonly<typeof held> => held,
  };
}

/** Runs a limited number of works at once, the others in the order in which they came. */
function createTurns(limit: number, turnMs: number) {
  const waiting = new Set<(hasTurn: boolean) => void>();
  let running = 0;
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined || running >= limit) return;
    waiting.delete(first);
    running += 1;
    first(true);
  };
  const end = (): void => {
    running -= 1;
    next();
  };
  return {
    /** Never begins a work whose signal is aborted, which is answered by `dropped`. */
    async take<T>(left: AbortSignal, work: () => Promise<T>, dropped: () => T): Promise<T> {
      const hasTurn = await new Promise<boolean>((begin) => {
        waiting.add(begin);
        left.addEventListener("abort", () => waiting.delete(begin) && begin(false), { once: true });
        next();
      });
      if (!hasTurn) return dropped();
      const turn = { isOver: false };
      const endOnce = (): void => {
        if (!turn.isOver) end();
        turn.isOver = true;
      };
      const timer = setTimeout(endOnce, turnMs);
      try {
        return left.aborted ? dropped() : await work();
      } finally {
        clearTimeout(timer);
        endOnce();
      }
    },
  };
}

function kindOf({ method, url, headers }: Request): "requests" | "listeners" | undefined {
  const { pathname } = new URL(url);
  if (method === "GET") return STREAMS.has(pathname) ? "listeners" : undefined;
  if (method !== "POST" || !CALLS.has(pathname)) return undefined;
  return headers.get("mcp-method") === LISTEN ? "listeners" : "requests";
}

/** A body of unknown length may be as long as any. */
function bytesOf({ headers, body }: Request): number {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  if (Number.isSafeInteger(length) && length >= 0) return length;
  return body === null ? 0 : MAX_BODY;
}

function refuse(status: 429 | 503, message: string): Response {
  const hint = `try again after ${RETRY_AFTER} s, or with fewer requests at once`;
  const headers = { "retry-after": `${RETRY_AFTER}` };
  return Response.json({ error: { code: "UNAVAILABLE", message, hint } }, { status, headers });
}
