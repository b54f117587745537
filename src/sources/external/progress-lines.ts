import type { Progress } from "../../core/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";

export interface ProgressLinesOptions {
  readonly onProgress: (progress: Progress) => void;
  /** Receives all other text, as soon as it cannot be progress. */
  readonly onText: (text: string) => void;
}

/** A longer line is never progress. */
const MAX_CHARACTERS = 64 * 1024;

/** Extracts the lines that are JSON `{"progress": …}` from a stream in chunks of any size; all other text passes unchanged. */
export function progressLines({ onProgress, onText }: ProgressLinesOptions) {
  /** The start of a line that may still be progress. */
  let held = "";
  let isInText = false;
  const finish = (line: string): void => {
    const progress = isInText ? undefined : parseProgress(line);
    if (progress === undefined) onText(line);
    else onProgress(progress);
    isInText = false;
  };
  const hold = (rest: string): void => {
    isInText ||= !mayBeProgress(rest);
    if (isInText && rest !== "") onText(rest);
    held = isInText ? "" : rest;
  };
  return {
    write(text: string): void {
      let from = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        finish(held + text.slice(from, at + 1));
        held = "";
        from = at + 1;
      }
      hold(held + text.slice(from));
    },
    /** Passes on a last line without a line break. */
    end(): void {
      if (held !== "") finish(held);
      held = "";
    },
  };
}

function mayBeProgress(line: string): boolean {
  return line.length <= MAX_CHARACTERS && /^\s*(?:\{|$)/.test(line);
}

function parseProgress(line: string): Progress | undefined {
  if (!mayBeProgress(line)) return undefined;
  const value = parseJson(line);
  return isObject(value) && Object.hasOwn(value, "progress") ? toProgress(value) : undefined;
}

/** Accepts a text, a count (`{"progress": 3, "total": 10, "message": "…"}`), the same nested, or any data. */
function toProgress(line: JsonObject): Progress {
  const { progress = null } = line;
  if (typeof progress === "string") return progress;
  if (typeof progress === "number") return { done: progress, ...fields(line) };
  if (!isObject(progress)) return { data: progress };
  const known = fields(progress);
  return Object.keys(progress).every((key) => Object.hasOwn(known, key))
    ? known
    : { ...known, data: progress };
}

type Fields = Exclude<Progress, string | { readonly stream: string }>;

function fields({ message, done, total }: Readonly<Record<string, Json>>): Fields {
  return {
    ...(typeof message === "string" && { message }),
    ...(typeof done === "number" && { done }),
    ...(typeof total === "number" && { total }),
  };
}
