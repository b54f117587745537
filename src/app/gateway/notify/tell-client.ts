import type { Progress } from "../../../core/context.ts";
import type { Level } from "../clients/gateway.ts";

const LEVELS: readonly string[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** A word that a tool says is information; a line that it prints is for those who look closely. */
export function logProgress(progress: Progress, log: (level: Level, data: string) => void): void {
  if (typeof progress === "string") log("info", progress);
  else if ("stream" in progress) log("debug", progress.text);
}

/** Whether what has this level is told to a client that wants to hear of another one and above. */
export function isTold(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
