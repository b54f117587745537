import { ToolError } from "../../core/errors.ts";
import type { Box } from "./types.ts";

/** Throws if a sandbox should reach some hosts only, for a kind that knows no network or all of it. */
export function refuseDomains({ domains = [] }: Box, kind: string): void {
  if (domains.length > 0)
    throw unable(`${kind} cannot limit the network to domains`, "use the sandbox bubblewrap or srt");
}

/** Throws for a kind that cannot mount a folder under another name. */
export function refuseCopies({ copies }: Box, kind: string): void {
  if (copies !== undefined && copies.size > 0)
    throw unable(`${kind} cannot work on a copy of the workspace`, "use bubblewrap, podman or docker");
}

/** Returns the error for what a kind cannot do. */
export function unable(what: string, hint: string): ToolError {
  return new ToolError("UNAVAILABLE", `no sandbox is available: ${what}`, { hint });
}
