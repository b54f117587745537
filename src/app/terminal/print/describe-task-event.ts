import { shortened } from "../../../util/text/shortened.ts";
import { describeLevel } from "../../../agent/budget/budget.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { EngineEvent } from "../../../core/events.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { visible } from "../../../util/text/visible.ts";
import { ranMs } from "./ran-ms.ts";
import { commandFailure } from "./command-failure.ts";
import { describeFault } from "./describe-fault.ts";

const MAX_VALUE_CHARACTERS = 60;
const MAX_LINE_CHARACTERS = 160;

/** Describes an event of a task in one line, with the name of the agent if it is not the only one; undefined for events that are not printed. */
export function describeTaskEvent(event: EngineEvent | AgentEvent, agent?: string): string | undefined {
  const by = agent === undefined ? "" : `${agent}: `;
  switch (event.type) {
    case "call.received":
      return line(`→ ${by}${describeCall(event)}`);
    case "call.answered": {
      const { name, ok, meta } = event.result;
      const failure = commandFailure(event.result);
      const outcome = ok ? (failure ?? "ok") : describeFault(event.result.error);
      const mark = ok && failure === undefined ? "✓" : "✗";
      return line(`${mark} ${by}${name} ${Math.round(ranMs(meta))} ms ${outcome}`);
    }
    case "model.retried":
      return line(`… ${by}${event.message}; again in ${Math.ceil(event.waitMs / 1000)} s`);
    case "budget.warned":
      return line(`! ${by}${describeLevel(event)} are spent`);
    case "loop.suspected":
      return line(`! ${by}it may be going in circles: ${event.description}`);
    case "tools.late":
      return line(`… still loading, the request is without their tools: ${event.sources.join(", ")}`);
    case "session.compacted":
      return line(
        `… ${by}the conversation was summed up: ${event.tokensBefore} → ${event.tokensAfter} tokens`,
      );
    default:
      return undefined;
  }
}

/** Describes a call by its tool and its input, each value cut, on one line. */
export function describeCall({ name, input }: { readonly name: string; readonly input: Json }): string {
  return line(`${name} ${describeInput(input)}`);
}

/** Returns the values of an input, each cut. */
function describeInput(input: Json): string {
  if (!isObject(input)) return short(input);
  return Object.entries(input)
    .map(([key, value]) => `${key}=${short(value)}`)
    .join(" ");
}

function short(value: Json | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shortened(text, MAX_VALUE_CHARACTERS);
}

function line(text: string): string {
  return shortened(visible(text.replaceAll(/\s+/g, " ").trim()), MAX_LINE_CHARACTERS);
}
