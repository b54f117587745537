import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A clock that is further ahead of the last use may be wrong. */
const MAX_GAP_MS = 30 * DAY_MS;

/**
 * Returns the time by which the age of what a folder stores is measured: the time of the clock, which is recorded as the last use, unless
 * it is over 30 days after the last use: then that time, so that a wrong clock removes nothing. A folder that does not
 * exist is not made: it stores nothing. Never throws.
 */
export function ageNow(folder: string, now = Date.now()): number {
  const last = lastUse(folder);
  if (last !== undefined && now - last > MAX_GAP_MS) return last;
  if (last === undefined || Math.abs(now - last) > HOUR_MS)
    attempt(() => writeFileSync(fileOf(folder), `${now}\n`, { mode: 0o600 }));
  return now;
}

/** Returns a sentence that says what to do if nothing in a folder is removed by its age because the clock may be wrong. */
export function clockProblem(folder: string, now = Date.now()): string | undefined {
  const last = lastUse(folder);
  if (last === undefined || now - last <= MAX_GAP_MS) return undefined;
  const days = Math.floor((now - last) / DAY_MS);
  return `the clock is ${days} days after the last use of ${folder}, so nothing in it is removed by its age; if the clock is right, delete ${fileOf(folder)}`;
}

function fileOf(folder: string): string {
  return join(folder, "last-use");
}

function lastUse(folder: string): number | undefined {
  const text = attempt(() => readFileSync(fileOf(folder), "utf8"));
  const time = Number(text);
  return text === undefined || text.trim() === "" || !Number.isFinite(time) ? undefined : time;
}
