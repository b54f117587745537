import { setTimeout as wait } from "node:timers/promises";
import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../store/journal/interrupted-answer.ts";
import type { ToolResult } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { createEngine } from "../../engine/engine.ts";
import type { Listeners } from "../../engine/types/engine-parts.ts";
import { createListeners } from "../../engine/listeners.ts";
import type { Replay } from "./replay.ts";

/** Creates an engine whose calls get the recorded results. Nothing runs. */
export function recordedEngine(replay: Replay): Engine {
  const engine = createEngine();
  const listeners = createListeners();
  const runAll: Engine["runAll"] = async (calls, { session, signal } = {}) => {
    const step = replay.recording.next();
    const recorded = step?.message.role === "tool" && step.rest === undefined ? step.message.results : [];
    if (replay.speed !== undefined) await pause((step?.waitMs ?? 0) / replay.speed, signal);
    if (recorded.length !== calls.length)
      replay.differs(step, `${calls.map(({ name }) => name).join(", ")} is called`);
    // Which calls ran in parallel is not stored: events are emitted one call after the other.
    return calls.map((call, index) => {
      emitReceived(call, session, { listeners, engine });
      const result = answerTo(call, recorded[index]);
      listeners.emit({ type: "call.answered", callId: call.id, result });
      return result;
    });
  };
  return {
    ...engine,
    runAll,
    async run(call, options) {
      const [result] = await runAll([call], options);
      return result ?? missingResult(call);
    },
    on: listeners.add,
  };
}

function emitReceived(
  { id, name, input }: ToolCall,
  session: string | undefined,
  { listeners, engine }: { readonly listeners: Listeners; readonly engine: Engine },
): void {
  const shown = copyJson(input, undefined, engine.masker.text);
  listeners.emit({ type: "call.received", callId: id, name, input: shown, session });
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, defined({ signal })).catch(() => undefined);
}

/** Matches results by position, because a call may have another id. */
function answerTo(call: ToolCall, recorded: ToolResult | undefined): ToolResult {
  return recorded === undefined ? missingResult(call) : { ...recorded, callId: call.id };
}

function missingResult({ id, name }: ToolCall): ToolResult {
  const now = Date.now();
  return interruptedAnswer({ callId: id, name, receivedAt: now, startedAt: null, effects: null }, now);
}
