import type { ParamsOf, QueryOf, RouteName, Routes } from "../../src/app/http/api.ts";

/** The operations that read and answer with JSON. */
export type ReadName = {
  [N in RouteName]: Routes[N] extends { readonly type: string }
    ? never
    : Routes[N]["method"] extends "GET"
      ? N
      : never;
}[RouteName];

/** The operations that change something. */
export type ChangeName = { [N in RouteName]: Routes[N]["method"] extends "GET" ? never : N }[RouteName];

/** The parameters in the URL of an operation: those of its path and of its query. */
export type AddressOf<N extends RouteName> = keyof Parameters<N> extends never
  ? Readonly<Record<string, never>>
  : Parameters<N>;
type Parameters<N extends RouteName> = ParamsOf<N> &
  ([QueryOf<N>] extends [undefined] ? unknown : QueryOf<N>);

/** Returns the key under which an answer is cached. */
export function keyOf<N extends ReadName>(
  name: N,
  address: AddressOf<N>,
): readonly [name: N, address: AddressOf<N>] {
  return [name, address];
}
