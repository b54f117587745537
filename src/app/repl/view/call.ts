import { describeFault } from "../../terminal/print/describe-fault.ts";
import { commandFailure } from "../../terminal/print/command-failure.ts";
import type { Block, CallBlock } from "../state/repl-state.ts";
import { answerText, shortAnswer } from "../state/summary.ts";
import type { Paint } from "../../terminal/print/paint.ts";
import { plainLine } from "../text/plain.ts";

/** Returns the parts of a finished call's row. Loads no package: the plain REPL prints them too. */
export function callRow(
  { summary, result, durationMs, isOfChild, agent, change }: Extract<Block, { readonly kind: "call" }>,
  paint: Paint,
) {
  const exit = commandFailure(result);
  const isGood = result.ok && exit === undefined;
  const mark = isGood ? paint("green", "✓ ") : paint("red", "✗ ");
  const duration = durationMs === undefined ? " " : ` ${secondsOf(durationMs)} `;
  const short = shortAnswer(result, { hasChange: change !== undefined });
  return {
    /** The mark, the name and the duration, with a space at the end. */
    head: `${isOfChild ? childMark(agent) : ""}${mark}${paint("bold", plainLine(result.name))}${paint("dim", duration)}`,
    summary,
    answer: paint(
      isGood ? "dim" : "red",
      `→ ${result.ok ? (exit ?? short) : plainLine(describeFault(result.error, short))}`,
    ),
    /** The whole answer, not sanitized. */
    text: result.ok ? answerText(result) : describeFault(result.error, answerText(result)),
  };
}

/** Returns the row of a run of calls: how many, of which tools, and what they took. */
export function runRow(calls: readonly CallBlock[], paint: Paint): string {
  const [first] = calls;
  const counts = new Map<string, number>();
  for (const { result } of calls) counts.set(result.name, (counts.get(result.name) ?? 0) + 1);
  const tools = [...counts].map(([name, count]) => `${plainLine(name)}${count === 1 ? "" : ` ×${count}`}`);
  const tookMs = Math.max(0, ...calls.map(({ durationMs = 0 }) => durationMs));
  const child = first?.isOfChild === true ? childMark(first.agent) : "";
  return (
    `${child}${paint("green", "✓ ")}${paint("bold", `${calls.length} calls`)}${paint("dim", ` ${secondsOf(tookMs)} `)}` +
    `${tools.join(", ")} ${paint("dim", "→ Ctrl-O lists them")}`
  );
}

/** Returns the start of the row of a call of another agent. */
export function childMark(agent: string | undefined): string {
  return agent === undefined ? "  ↳ " : `  ↳ ${plainLine(agent)} `;
}

/** Formats a duration. */
export function secondsOf(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
