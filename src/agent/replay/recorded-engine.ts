import { originOf } from "../../core/events.ts";
import { setTimeout as wait } from "node:timers/promises";
import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../store/journal/interrupted-answer.ts";
import type { ToolResult } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { RunOptions } from "../../engine/types/options.ts";
import { createEngine } from "../../engine/engine.ts";
import { createListeners } from "../../engine/listeners.ts";
import type { Replay } from "./recording.ts";

/** Creates an engine whose calls get the recorded results. Nothing runs. */
export function recordedEngine(replay: Replay): Engine {
  const engine = createEngine();
  const listeners = createListeners();
  const runAll = async (
    calls: readonly ToolCall[],
    { session, signal }: Pick<RunOptions, "session" | "signal"> = {},
  ): Promise<readonly ToolResult[]> => {
    const step = replay.recording.next();
    const recorded = step?.message.role === "tool" && step.rest === undefined ? step.message.results : [];
    if (replay.speed !== undefined) {
      const waitMs = (step?.waitMs ?? 0) / replay.speed;
      await wait(waitMs, undefined, defined({ signal })).catch(() => undefined);
    }
    if (recorded.length !== calls.length)
      replay.differs(step, `${calls.map(({ name }) => name).join(", ")} is called`);
    // Which calls ran in parallel is not stored: events are emitted one call after the other.
    return calls.map((call, index) => {
      const { id: callId, name, input } = call;
      const shown = copyJson(input, undefined, engine.masker.text);
      listeners.emit({ ...originOf(session), type: "call.received", callId, name, input: shown });
      // By position, because a call may have another id.
      const found = recorded[index];
      const result = found === undefined ? missingResult(call) : { ...found, callId };
      listeners.emit({ ...originOf(session), type: "call.answered", callId, result });
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

function missingResult({ id, name }: ToolCall): ToolResult {
  const now = Date.now();
  return interruptedAnswer({ callId: id, name, receivedAt: now, startedAt: null, effects: null }, now);
}
