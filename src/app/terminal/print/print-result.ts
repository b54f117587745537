import { asText } from "../../../util/json/parse-json.ts";
import type { ToolResult, Fault } from "../../../core/result.ts";
import type { Output } from "./output.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { toEnvelope } from "../../../engine/answer/envelope.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { visible } from "../../../util/text/visible.ts";
import { ERROR_CODES, type ErrorCode } from "../../../core/errors.ts";

/** Prints a result, as JSON for a program whatever the outcome; a failure goes to standard error too, and names the input in an envelope. */
export async function printResult(
  result: ToolResult,
  form: "text" | "json" | "envelope",
  output: Output,
  input: unknown,
): Promise<void> {
  if (form !== "text") await output.print(`${toLine(result, form, input)}\n`);
  if (!result.ok) return printFault(result.name, result.error, output);
  if (form !== "text") return;
  const text = contentText(result.content);
  return output.print(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** Returns a result as one line of JSON. */
export function toLine(result: ToolResult, form: "json" | "envelope", input: unknown): string {
  return JSON.stringify(form === "json" ? result : toEnvelope(result, input));
}

/** Prints on standard error what failed, what to do, and the output until then. */
export function printFault(name: string, { message, hint, details = {} }: Fault, output: Output): void {
  const problems = Array.isArray(details["problems"]) ? details["problems"].filter(isObject) : [];
  if (problems.length > 0) {
    // The engine's message is for a model and has the schema; a person gets that from `toolwright tool`.
    output.logWords(`toolwright: ${name}: ${problems.map(describeProblem).join("; ")}`);
    output.logWords(`  ${hint ?? `toolwright tool ${name} shows its parameters`}`, undefined, 2);
    return;
  }
  output.logWords(`toolwright: ${visible(message)}`);
  if (hint !== undefined) output.logWords(`  ${visible(hint)}`, undefined, 2);
  for (const part of ["emitted", "stdout", "stderr"]) {
    const printed = asText(details[part]).trimEnd();
    if (printed !== "") output.log(printed);
  }
}

function describeProblem({ kind, path, expected, got, near }: JsonObject): string {
  const where = asText(path).slice(1).replaceAll("/", ".") || "the input";
  if (kind === "missing") return `${where} is missing`;
  if (kind !== "unknown") return `${where}: expected ${asText(expected)}, got ${asText(got)}`;
  const meant =
    Array.isArray(near) && near.length > 0 ? `, did you mean ${near.map(asText).join(" or ")}?` : "";
  return `${where} is not a parameter${meant}`;
}

/** Returns the exit code of an error, from the table of codes. */
export function exitCodeOf({ code }: { readonly code: ErrorCode }): number {
  return ERROR_CODES[code].exitCode;
}

/** Returns the exit code of a result. */
export function exitCodeOfResult(result: ToolResult): number {
  return result.ok ? 0 : exitCodeOf(result.error);
}
