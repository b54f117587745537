import type { Model } from "../../core/agent/model.ts";
import type { Content } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";

const MAX_OUTPUT_TOKENS = 2000;

/** Asks a model one question about untrusted content; it has no tools. */
export async function askModel(
  model: Model,
  instructions: string,
  content: readonly Content[],
  signal: AbortSignal,
): Promise<string> {
  const request = { instructions, messages: [{ role: "user", content } as const], tools: [], signal };
  for await (const part of model.stream({ ...request, maxOutputTokens: MAX_OUTPUT_TOKENS })) {
    if (part.type !== "done") continue;
    const text = part.parts.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("");
    if (text.trim() !== "") return text;
  }
  throw new ToolError("MODEL_FAILED", `${model.id} gave no answer`);
}
