import { use } from "react";
import type { RouteName } from "../../src/app/http/api.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { Rights } from "./rights.ts";

/** Returns false for an operation that the server would refuse to this person. */
export function useMayUse(name: RouteName): boolean {
  const rights = use(Rights);
  return rights === undefined || ENDPOINTS[name].rights.some((right) => rights.includes(right));
}
