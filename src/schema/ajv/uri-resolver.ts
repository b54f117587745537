import type { Options } from "ajv";

/** The base of addresses that have none. */
const NOWHERE = "none://none/";

/** Resolves `$id` and `$ref` as the platform resolves addresses; the resolver of Ajv is larger than its compiler. What is no address stays: nothing is found under it. */
export const uriResolver: NonNullable<Options["uriResolver"]> = {
  parse: (uri) => ({ path: relative(uri), fragment: relative(uri).split("#")[1] ?? "" }),
  serialize: ({ path = "" }) => path,
  resolve: (base, uri) => relative(uri, URL.parse(base, NOWHERE)?.href ?? base),
};

function relative(uri: string, base = NOWHERE): string {
  return (URL.parse(uri, base)?.href ?? uri).replace(NOWHERE, "");
}
