import type { ToolResult } from "../../../core/result.ts";
import type { Output } from "./output.ts";
import { printFault } from "./print-fault.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { toEnvelope } from "../../../engine/answer/envelope.ts";

/** Prints a result, as JSON for a program whatever the outcome; a failure goes to standard error too. */
export async function printResult(
  result: ToolResult,
  form: "text" | "json" | "envelope",
  output: Output,
): Promise<void> {
  if (form !== "text") await output.print(`${await toLine(result, form)}\n`);
  if (!result.ok) return printFault(result.name, result.error, output);
  if (form !== "text") return;
  const text = contentText(result.content);
  return output.print(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** Returns a result as one line of JSON. */
export async function toLine(result: ToolResult, form: "json" | "envelope"): Promise<string> {
  if (form === "json") return JSON.stringify(result);
  return JSON.stringify(toEnvelope(result));
}
