import type { Infer } from "../../../schema/define/schema.ts";
import type { AnswerOf, RouteName, Routes } from "./routes.ts";

/** A validated request of an operation. Parameters of the path are texts. */
export interface Given<N extends RouteName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Routes[N] extends { readonly query: infer Q } ? Infer<Q> : undefined;
  readonly body: Routes[N] extends { readonly body: infer B } ? Infer<B> : undefined;
  readonly request: Request;
}

/** Answers with a value, or with a response if it is not JSON or has another status. Throws a `ToolError`. */
export type Handler<N extends RouteName> = (
  given: Given<N>,
) => AnswerOf<N> | Response | Promise<AnswerOf<N> | Response>;

/** The operations of the API. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };
