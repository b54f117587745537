import type { Engine } from "../../engine/types/engine.ts";
import { AT_REST } from "../runtime/agent-states.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";

/** How often in a row an agent is woken before its person has to write again: its own commands may change the file. */
const MAX_IN_A_ROW = 10;

/**
 * Wakes an idle agent when a file hook has run, because it may have queued a prompt. Never continues a task that was cancelled, failed
 * or ran out of budget. Returns the function that stops it.
 */
export function wakeForHooks(engine: Engine, agent: RunningAgent): () => void {
  let wakes = 0;
  const stopCounting = agent.on((event) => {
    if (event.type !== "message.added" || event.message.role !== "user") return;
    if (event.message.from === undefined) wakes = 0;
  });
  const stopListening = engine.on(
    (event) => {
      if (event.type !== "hook.decided" || event.point !== "file_changed") return;
      if (!AT_REST.has(agent.state) || isUnfinished(agent) || wakes >= MAX_IN_A_ROW) return;
      wakes += 1;
      void agent.send([]);
    },
    ["hook.decided"],
  );
  return () => {
    stopCounting();
    stopListening();
  };
}

/** True if the conversation ends without an answer: waking the agent would continue that task. */
function isUnfinished(agent: RunningAgent): boolean {
  const last = agent.messages().at(-1);
  return last !== undefined && last.role !== "assistant";
}
