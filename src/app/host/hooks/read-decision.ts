import { ToolError } from "../../../core/errors.ts";
import type { HookDecision } from "../../../core/hook.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { nearNames } from "../../../util/text/near-names.ts";

const KEYS = ["decision", "reason", "input", "note"];
/** `allow` means pass: a hook cannot allow anything. */
const DECISIONS = ["refuse", "ask", "pass", "allow"] as const;
const NO_REASON = "it gives no reason";
const MAX_SHOWN = 120;

/** Parses the output of a program as a decision; empty output is a pass. Throws on anything else. */
export function readDecision(printed: string): HookDecision | undefined {
  if (printed.trim() === "") return undefined;
  const answer = readAnswer(printed);
  const { decision = "pass", input } = answer;
  const kind = DECISIONS.find((one) => one === decision);
  if (kind === undefined) throw wrong("decision", decision, DECISIONS.join(", "));
  const reason = textOf(answer, "reason") ?? NO_REASON;
  const note = textOf(answer, "note");
  if (input !== undefined && !isObject(input)) throw wrong("input", input, "an object");
  if (kind === "refuse") return { kind, reason };
  // Only one of both can be applied, and neither may be ignored.
  if (input !== undefined && kind === "ask") throw both();
  if (input !== undefined) return { kind: "rewrite", input };
  if (kind === "ask") return { kind, reason };
  return note === undefined ? undefined : { kind: "note", text: note };
}

function textOf(answer: JsonObject, key: "reason" | "note"): string | undefined {
  const value = answer[key];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(key, value, "a text");
}

/** Throws on an unknown key: it may be a misspelt refusal. */
function readAnswer(printed: string): JsonObject {
  const answer = parse(printed);
  if (!isObject(answer)) throw wrong("answer", answer, "an object");
  const unknown = Object.keys(answer).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return answer;
  const near = nearNames(unknown, KEYS);
  const meant = near.length > 0 ? `, did it mean ${near.join(" or ")}?` : `, known are ${KEYS.join(", ")}`;
  throw new ToolError("INVALID_OUTPUT", `it answered ${JSON.stringify(unknown)}${meant}`);
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch (error) {
    const shown = printed.trim().slice(0, MAX_SHOWN);
    throw new ToolError("INVALID_OUTPUT", `it printed something else than one JSON object: ${shown}`, {
      cause: error,
    });
  }
}

function both(): ToolError {
  const message = "it answered an input and ask at once: it must ask when its input is in place";
  return new ToolError("INVALID_OUTPUT", message);
}

function wrong(what: string, got: unknown, expected: string): ToolError {
  const shown = JSON.stringify(got)?.slice(0, MAX_SHOWN);
  return new ToolError("INVALID_OUTPUT", `its ${what} is ${shown}, expected ${expected}`);
}
