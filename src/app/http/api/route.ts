import type { Right } from "../../config/access/http-tokens.ts";
import { boolean, object, type Schema } from "../../../schema/define/schema.ts";

/** The answer of an operation that has nothing to say. */
export const Ok = object({ ok: boolean() });

/** One operation of the API: what it takes and what it answers. The same schemas validate requests and make the OpenAPI document. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  /** A token with one of these may use it. */
  readonly rights: readonly [Right, ...Right[]];
  readonly query?: Schema<unknown>;
  readonly body?: Schema<unknown>;
  readonly answer: Schema<unknown>;
  /** What it answers with 200 and with 202, if these differ; `answer` is one of them. */
  readonly answers?: { readonly done: Schema<unknown>; readonly accepted: Schema<unknown> };
  /** Of an answer that is not JSON; default: application/json. */
  readonly type?: string;
  /** Further statuses with which it refuses a request. */
  readonly refusals?: readonly (409 | 422)[];
}

type Rest = Omit<Route, "method" | "path" | "summary">;

/** Creates the function that describes operations of one method. */
export function operation<const M extends Route["method"]>(method: M) {
  return <const P extends string, const R extends Rest>(path: P, summary: string, rest: R) =>
    ({ method, path, summary, ...rest }) as const;
}
