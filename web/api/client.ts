import type { AnswerOf, ApiError, BodyOf, QueryOf, RouteName } from "../../src/app/http/api.ts";

/** A request that the server refused, or that did not reach it. */
export class RequestError extends Error {
  readonly status: number;
  readonly hint: string | undefined;
  readonly details: unknown;

  constructor(status: number, { message, hint, details }: Partial<ApiError["error"]>) {
    super(message ?? `the server answered ${status}`);
    this.status = status;
    this.hint = hint;
    this.details = details;
  }
}

/** Reads from the API. `route` names the operation, whose types apply. */
export async function read<N extends RouteName>(
  route: N,
  path: string,
  query?: QueryOf<N>,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  void route;
  return request<AnswerOf<N>>("GET", withQuery(path, query), undefined, signal);
}

/** Changes something through the API. */
export async function send<N extends RouteName>(
  route: N,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: BodyOf<N>,
): Promise<AnswerOf<N>> {
  void route;
  return request<AnswerOf<N>>(method, path, body);
}

/** Returns a path under /api with its parts encoded: `pathOf("calls", id)`. */
export function pathOf(...parts: readonly string[]): string {
  return `/api/${parts.map(encodeURIComponent).join("/")}`;
}

export function withQuery(path: string, query: unknown): string {
  const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === "" ? path : `${path}?${text}`;
}

async function request<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method,
    // The server takes nothing else, so that no form of another page can send it.
    ...(method !== "GET" && { headers: { "content-type": "application/json" } }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new RequestError(0, {
      message: "The server does not answer",
      hint: "Start it again with toolwright serve, and open the address that it prints.",
    });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  // A call that ran and failed has a status of its own, and its answer is a result.
  if (response.ok || isResult(answer)) return answer as T;
  // A missing key of a model is 401, too, without the header.
  if (response.headers.has("www-authenticate"))
    throw new RequestError(401, {
      message: "This browser is not signed in",
      hint: "Open the address that toolwright serve printed: it has the token.",
    });
  throw new RequestError(response.status, (answer as ApiError | undefined)?.error ?? {});
}

function isResult(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "callId" in answer && "content" in answer;
}
