import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** Returns an error as the answer of a call: the first line of what playwright says, and what happened meanwhile. */
export function failureOf(error: unknown, place: "sandbox" | undefined, notes: readonly string[]): ToolError {
  const own = error instanceof ToolError ? error : undefined;
  const message = own?.message ?? firstLines(errorMessage(error));
  const isSaid = (note: string): boolean => message.includes(note);
  const hints = [...(own?.hint === undefined ? [] : [own.hint]), ...notes.filter((note) => !isSaid(note))];
  return new ToolError(own?.code ?? "TOOL_FAILED", message, {
    ...(hints.length > 0 && { hint: hints.join("\n") }),
    details: own?.details,
    cause: error,
    place,
  });
}

/** The log of playwright says why an element could not be used, at its end. */
function firstLines(text: string): string {
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, "");
  const [first = "", ...log] = plain.split("\n").map((line) => line.trim());
  const reason = log.findLast((line) =>
    /intercepts pointer|not visible|not enabled|not editable|outside of the viewport/.test(line),
  );
  const start = first.replace(/^\w+(?:\.\w+)*: /, "");
  return reason === undefined ? start : `${start}: ${reason.replace(/^-\s*/, "")}`;
}
