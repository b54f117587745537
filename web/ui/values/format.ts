import { visibleJson } from "../../../src/util/text/visible.ts";
import { isObject } from "../../api/json.ts";

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const COUNT = new Intl.NumberFormat();

/** Returns the time of day, with the date if it was not today. */
export function timeOf(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  // Some languages set marks of direction into a time, which would be shown.
  return (isToday ? TIME : DAY_AND_TIME).format(at).replaceAll(/\p{Cf}/gu, "");
}

/** Returns the time of day alone. */
export function clockOf(at: number): string {
  return TIME.format(at).replaceAll(/\p{Cf}/gu, "");
}

const SHORT_TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const WEEKDAY_AND_TIME = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Returns a time as exactly as buckets of this size need. */
export function dayOrTimeOf(at: number, bucketMs: number): string {
  const format = bucketMs >= 86_400_000 ? DAY : bucketMs >= 3_600_000 ? WEEKDAY_AND_TIME : SHORT_TIME;
  return format.format(at).replaceAll(/\p{Cf}/gu, "");
}

/** Returns a price. */
export function costOf(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`;
}

/** Returns a large count in thousands or millions. */
export function shortCountOf(count: number): string {
  if (count < 10_000) return COUNT.format(count < 10 ? Math.round(count * 100) / 100 : Math.round(count));
  return count < 1e6 ? `${Math.round(count / 1000)}K` : `${(count / 1e6).toFixed(1)}M`;
}

/** Returns the time with its milliseconds: calls of one second keep their order. */
export function exactTimeOf(at: number): string {
  return timeOf(at).replace(/(:\d\d)(?!:)(?=\D*$)/, `$1.${String(Math.floor(at % 1000)).padStart(3, "0")}`);
}

/** Returns a duration in the units that fit it. It is rounded before the units are chosen: 59.9 s is 1 min. */
export function durationOf(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24 && minutes % 1440 === 0) return hours === 24 ? "1 day" : `${hours / 24} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Returns the size of a bucket as it follows "per": `hour`, `15 min`. */
export function bucketNameOf(ms: number): string {
  return (
    { 60_000: "minute", 3_600_000: "hour", 86_400_000: "day", 604_800_000: "week" }[ms] ?? durationOf(ms)
  );
}

/** Returns how long ago a time was, in one unit. */
export function agoOf(at: number): string {
  const ms = Math.max(0, Date.now() - at);
  if (ms < 5000) return "just now";
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ago`;
  return `${Math.floor(ms / 86_400_000)} d ago`;
}

export function bytesOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function countOf(count: number): string {
  return COUNT.format(count);
}

/** Returns `1 call`, `2 calls`. */
export function plural(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the end of a long id, as `toolwright trace` shows it. */
export function shortId(id: string): string {
  const [, root = id, path = ""] = /^(.*?)((?:\.\d+)*)$/s.exec(id) ?? [];
  return (root.length > 12 ? root.slice(-8) : root) + path;
}

/** Returns a value on one line: a text as it is, an object as `key=value` pairs. */
export function onOneLine(value: unknown): string {
  if (typeof value === "string") return value.replaceAll(/\s+/g, " ");
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  return Object.entries(value)
    .map(([key, one]) => `${key}=${typeof one === "string" ? one : JSON.stringify(one)}`)
    .join("  ")
    .replaceAll(/\s+/g, " ");
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "";
}

/** Returns a value as JSON to edit, in which nothing is hidden; the value is the same. */
export function editableJson(value: unknown): string {
  return visibleJson(prettyJson(value));
}
