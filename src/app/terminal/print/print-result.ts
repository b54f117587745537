import type { Content } from "../../../core/content.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Output } from "./output.ts";
import { tellFault } from "./tell-fault.ts";

/** Prints an answer, for a program as an object whatever the outcome; what failed is told on standard error too. */
export async function printResult(
  result: ToolResult,
  form: "text" | "json" | "envelope",
  output: Output,
): Promise<void> {
  if (form !== "text") await output.print(`${await toLine(result, form)}\n`);
  if (!result.ok) return tellFault(result.name, result.error, output);
  if (form !== "text") return;
  const text = result.content.map(toText).join("\n");
  return output.print(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** An answer as one line of JSON. */
export async function toLine(result: ToolResult, form: "json" | "envelope"): Promise<string> {
  if (form === "json") return JSON.stringify(result);
  const { toEnvelope } = await import("../../../engine/answer/envelope.ts");
  return JSON.stringify(toEnvelope(result));
}

/** What a terminal can show of a piece of content. */
export function toText(content: Content): string {
  if (content.type === "text") return content.text;
  const bytes = Math.floor((content.data.replace(/=+$/, "").length * 3) / 4);
  const size = bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
  return `[${content.type}: ${content.mimeType}, ${size}]`;
}
