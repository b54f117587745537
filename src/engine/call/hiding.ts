import {
  HiddenHosts,
  HiddenPaths,
  ProtectedPaths,
  RefusedWrites,
  type IsHidden,
} from "../../core/session/hidden-paths.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { CallOptions } from "../types/options.ts";

/** The names of the keys whose values say what a tool must not show or touch. */
export const HIDING: ReadonlySet<string> = new Set(
  [HiddenPaths, ProtectedPaths, RefusedWrites, HiddenHosts].map(({ name }) => name),
);

/**
 * Returns the value under one of these keys; undefined if nothing is hidden. It asks the policy each time: another one may replace it
 * during the call. Only `false` shows something: a policy that returns anything else has not decided.
 */
export function hidingUnder(
  name: string,
  tool: Tool,
  { policy, sessions }: EngineParts,
  { ceilings, session }: CallOptions,
): IsHidden | undefined {
  const rules = session === undefined ? undefined : sessions.open(session).rules;
  const circumstances = defined({ ceilings, rules });
  if (name === HiddenHosts.name)
    return policy.hidesHost && ((host) => policy.hidesHost?.(host, tool, circumstances) !== false);
  if (name === ProtectedPaths.name)
    return policy.protects && ((path) => policy.protects?.(path, tool, circumstances) !== false);
  if (policy.hides === undefined) return undefined;
  if (name === RefusedWrites.name)
    return (path) => policy.hides?.(path, tool, circumstances, "write") !== false;
  if (policy.hidesAny?.(tool, circumstances) === false) return undefined;
  return (path) => policy.hides?.(path, tool, circumstances) !== false;
}
