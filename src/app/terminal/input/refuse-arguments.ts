import { ToolError } from "../../../core/errors.ts";

/** Throws where there are words that nothing would be done with: whoever typed them meant something by them. */
export function refuseArguments(words: readonly string[], hint?: string): void {
  if (words.length === 0) return;
  throw new ToolError(
    "INVALID_INPUT",
    `too many words: ${words.join(" ")}`,
    hint === undefined ? {} : { hint },
  );
}
