import type { Entry, SessionInfo } from "../transcript.ts";

/** A session as one JSON object, whole: everything that is kept of it is in it as it is kept. */
export function exportJson(info: SessionInfo, entries: readonly Entry[]): string {
  return `${JSON.stringify({ format: "toolwright-session", version: 1, info, entries }, undefined, 2)}\n`;
}
