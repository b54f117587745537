import type { AnswerOf, ApiError, BodyOf, ParamsOf, RouteName } from "../../src/app/http/api.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { isObject } from "./json.ts";
import type { AddressOf, ChangeName, ReadName } from "./operations.ts";

type ChangeArgs<N extends ChangeName> = readonly [
  ...(keyof ParamsOf<N> extends never ? [] : [params: ParamsOf<N>]),
  ...([BodyOf<N>] extends [undefined] ? [] : [body: BodyOf<N>]),
];

type Api = { readonly [N in ChangeName]: (...args: ChangeArgs<N>) => Promise<AnswerOf<N>> };

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

/** Reads from the API. */
export async function read<N extends ReadName>(
  name: N,
  address: AddressOf<N>,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  return request<AnswerOf<N>>("GET", urlOf(name, address), undefined, signal);
}

/** The operations that change something: `api.decide({ id }, decision)`, `api.openChat({ resume })`. */
export const api = Object.fromEntries(
  Object.entries(ENDPOINTS)
    .filter(([, { method }]) => method !== "GET")
    .map(([name, { method, path }]) => [
      name,
      async (...args: readonly unknown[]) => {
        const [params, body] = path.includes("{") ? args : [{}, ...args];
        return request(method, urlFrom(path, params as object), body);
      },
    ]),
) as unknown as Api;

/** Ends the login of this browser. Returns where to go next: to the page of the provider that ends its own, or to the first one. */
export async function logOut(): Promise<string> {
  const { url } = await request<{ readonly url: string }>("POST", "/auth/logout", undefined);
  return url;
}

/** Returns the URL of an operation: the parameters of its path encoded, and the others as its query unless they are empty. */
export function urlOf<N extends RouteName>(name: N, address: AddressOf<N>): string {
  return urlFrom(ENDPOINTS[name].path, address);
}

function urlFrom(template: string, address: object): string {
  const parameters = new Map(Object.entries(address as Readonly<Record<string, unknown>>));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return encodeURIComponent(textOf(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of parameters)
    if (value !== undefined && value !== "") query.append(name, textOf(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function request<T>(method: string, url: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, {
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
  return isObject(answer) && "callId" in answer && "content" in answer;
}
