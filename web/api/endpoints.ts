import { ROUTES, type RouteName, type Routes } from "../../src/app/http/api.ts";

type Endpoints = { readonly [N in RouteName]: Pick<Routes[N], "method" | "path" | "rights"> };

/** The method, the path and the rights of each operation. The build runs this file and bundles the value, so that no code of the server is in the page. */
export const ENDPOINTS = Object.fromEntries(
  Object.entries(ROUTES).map(([name, { method, path, rights }]) => [name, { method, path, rights }]),
) as Endpoints;
