import type { ToolCall } from "../../core/call.ts";
import { parseJson } from "../text-calls/values/parse-json.ts";

/** The input that a native call's arguments say. Broken JSON is mended where one thing only can be meant, and never where the answer was cut off. */
export function readArguments(text: string, isCut: boolean): Pick<ToolCall, "input" | "unreadable"> {
  if (text.trim() === "") return { input: {} };
  const parsed = parseJson(text);
  if (parsed !== undefined && !(isCut && parsed.repaired)) return { input: parsed.value };
  return {
    input: text,
    unreadable: isCut
      ? "the arguments end before they are whole: the answer was cut off at its length"
      : "the arguments are not JSON",
  };
}
