import { string } from "../../schema/define/schema.ts";

/** Common properties of the proxy tools: what they return was written by others. */
const PROXY = {
  place: "host",
  group: "proxy",
  startsInactive: true,
  isUntrusted: true,
} as const;

/** Common properties of tools that read captured traffic, or change only what the session has noted about it. */
export const READS_TRAFFIC = { ...PROXY, risk: "low", effects: "own-state" } as const;

/** Common properties of tools that send requests. */
export const SENDS = { ...PROXY, risk: "high", effects: "unsafe" } as const;

export const requestId = string("The id of a request, such as r12", { min: 1 });
export const scopeId = string("Only requests of this scope: an id from scope_rules", { min: 1 });
