import type { Content } from "../../../core/content.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { plainLine } from "../text/plain.ts";
import { visibleLine } from "../../../util/text/visible.ts";
import { counted } from "../../../util/text/words.ts";

/** The parameters that describe a call best, in order. */
const MAIN_PARAMETERS = [
  "command",
  "pattern",
  "query",
  "path",
  "file_path",
  "paths",
  "url",
  "task",
  "name",
  "title",
  "text",
  "content",
  "message",
];
const MAX_CHARACTERS = 300;

/** Returns the main part of a call's input on one line, with every character visible. */
export function summaryOf(input: Json): string {
  if (!isObject(input)) return visibleLine(JSON.stringify(input)).slice(0, MAX_CHARACTERS);
  const tasks = summaryOfTasks(input);
  if (tasks !== undefined) return tasks;
  const keys = Object.keys(input);
  if (keys.length === 0) return "";
  const main = MAIN_PARAMETERS.find((key) => Object.hasOwn(input, key) && hasContent(input[key]));
  const value = main === undefined ? undefined : input[main];
  const text = typeof value === "string" ? value : JSON.stringify(value ?? input);
  return visibleLine(text.slice(0, MAX_CHARACTERS * 4)).slice(0, MAX_CHARACTERS);
}

/** Returns how many tasks a to-do list has, and the one that is next; undefined for other inputs. */
function summaryOfTasks({ todos }: JsonObject): string | undefined {
  if (!Array.isArray(todos) || !todos.every((todo) => isObject(todo))) return undefined;
  if (todos.length === 0) return "no tasks";
  const stateOf = (status: string): JsonObject | undefined => todos.find((todo) => todo["status"] === status);
  const next = stateOf("in_progress") ?? todos.find(({ status = "pending" }) => status === "pending");
  const isDone = ({ status }: JsonObject): boolean => status === "completed";
  const done = todos.filter(isDone).length;
  const count = `${counted(todos.length, "task")}${done === 0 ? "" : `, ${done} done`}`;
  const content = typeof next?.["content"] === "string" ? `: ${next["content"]}` : "";
  return visibleLine(`${count}${content}`.slice(0, MAX_CHARACTERS * 4)).slice(0, MAX_CHARACTERS);
}

function hasContent(value: Json | undefined): boolean {
  return (typeof value === "string" && value.trim() !== "") || (Array.isArray(value) && value.length > 0);
}

/** Returns the text of a message that the person sent, and a line for each attachment. */
export function messageText([typed, ...attached]: readonly Content[]): string {
  const lines = attached.map((piece) => plainLine(contentText([piece]).split("\n", 1)[0] ?? ""));
  return [contentText(typed === undefined ? [] : [typed]), ...lines.map((line) => `+ ${line}`)].join("\n");
}

/** Returns the text of an answer. */
export function answerText(result: ToolResult): string {
  if (result.ok) return contentText(result.content);
  const { message, hint } = result.error;
  return hint === undefined ? message : `${message}\n${hint}`;
}

/** Returns the first line of an answer, and how many more there are; not if these are the change, which is shown below. */
export function shortAnswer(
  result: ToolResult,
  { hasChange = false }: { readonly hasChange?: boolean } = {},
): string {
  const lines = answerText(result)
    .split("\n")
    .filter((line) => line.trim() !== "");
  // npm prints the script that it runs, and its package.
  const telling = lines.findIndex((line) => !line.startsWith("> "));
  const [first = "no output", ...more] = lines.slice(Math.max(0, telling));
  const rest = more.length === 0 || hasChange ? "" : ` (${counted(more.length, "more line")})`;
  return plainLine(first.slice(0, MAX_CHARACTERS)) + rest;
}
