import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { plainLine } from "../text/plain.ts";

/** Parameters that say most about a call, the best first. */
const TELLING = [
  "command",
  "path",
  "file_path",
  "paths",
  "pattern",
  "query",
  "url",
  "task",
  "name",
  "title",
  "text",
  "content",
  "message",
];
const MAX_CHARACTERS = 300;

/** The important part of a call's input, on one line. */
export function summaryOf(input: Json): string {
  if (!isObject(input)) return plainLine(JSON.stringify(input)).slice(0, MAX_CHARACTERS);
  const keys = Object.keys(input);
  if (keys.length === 0) return "";
  const telling = TELLING.find((key) => Object.hasOwn(input, key) && isTelling(input[key]));
  const value = telling === undefined ? undefined : input[telling];
  const text = typeof value === "string" ? value : JSON.stringify(value ?? input);
  return plainLine(text.slice(0, MAX_CHARACTERS * 4)).slice(0, MAX_CHARACTERS);
}

function isTelling(value: Json | undefined): boolean {
  return (typeof value === "string" && value.trim() !== "") || (Array.isArray(value) && value.length > 0);
}

/** What a model was answered, as far as a terminal can show it. */
export function answerText(result: ToolResult): string {
  if (result.ok) return contentText(result.content);
  const { message, hint } = result.error;
  return hint === undefined ? message : `${message}\n${hint}`;
}

/** An answer on one line: what there is to see at once, and how much more. */
export function shortAnswer(result: ToolResult): string {
  const lines = answerText(result)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const [first = "no output", ...more] = lines;
  const rest = more.length === 0 ? "" : ` (+${more.length} ${more.length === 1 ? "line" : "lines"})`;
  return plainLine(first.slice(0, MAX_CHARACTERS)) + rest;
}
