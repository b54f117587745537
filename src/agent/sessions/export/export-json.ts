import type { Entry, SessionInfo } from "../transcript.ts";

/** Exports a session as one JSON object with all stored data. */
export function exportJson(info: SessionInfo, entries: readonly Entry[]): string {
  return `${JSON.stringify({ format: "toolwright-session", version: 1, info, entries }, undefined, 2)}\n`;
}
