import { setTimeout as wait } from "node:timers/promises";
import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../core/store/interrupted-answer.ts";
import type { ToolResult } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { createEngine } from "../../engine/engine.ts";
import type { Listeners } from "../../engine/types/engine-parts.ts";
import { createListeners } from "../../engine/listeners.ts";
import type { Replay } from "./replay.ts";

/** An engine without tools whose calls get the answers that were recorded. Nothing runs, and nothing outside is touched. */
export function recordedEngine(replay: Replay): Engine {
  const engine = createEngine();
  const listeners = createListeners();
  const runAll: Engine["runAll"] = async (calls, { session, signal } = {}) => {
    const step = replay.recording.next();
    const recorded = step?.message.role === "tool" && step.rest === undefined ? step.message.results : [];
    if (replay.speed !== undefined) await pause((step?.waitMs ?? 0) / replay.speed, signal);
    if (recorded.length !== calls.length)
      replay.differs(step, `${calls.map(({ name }) => name).join(", ")} is called`);
    // Which of them ran together is not kept: they are shown one after the other.
    return calls.map((call, index) => {
      tellReceived(call, session, { listeners, engine });
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
      return result ?? lost(call);
    },
    on: listeners.add,
  };
}

function tellReceived(
  { id, name, input }: ToolCall,
  session: string | undefined,
  { listeners, engine }: { readonly listeners: Listeners; readonly engine: Engine },
): void {
  const shown = copyJson(input, undefined, engine.masker.text);
  listeners.emit({ type: "call.received", callId: id, name, input: shown, session });
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** By its place among the calls of its message: a call may be given another id than it had. */
function answerTo(call: ToolCall, recorded: ToolResult | undefined): ToolResult {
  return recorded === undefined ? lost(call) : { ...recorded, callId: call.id };
}

function lost({ id, name }: ToolCall): ToolResult {
  const now = Date.now();
  return interruptedAnswer({ callId: id, name, receivedAt: now, startedAt: null, effects: null }, now);
}
