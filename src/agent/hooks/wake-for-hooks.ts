import type { Engine } from "../../engine/types/engine.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";

/** So often in a row; then the person has to speak first. A command of the agent may be what changes the file. */
const MAX_IN_A_ROW = 10;

/**
 * An agent that rests goes on when a hook has been asked about a file that somebody has changed: what the hook wants of it may wait
 * there. Work that its person, its budget or a failure has ended is never taken up again by it. Gives back the way to stop.
 */
export function wakeForHooks(engine: Engine, agent: RunningAgent): () => void {
  let wakes = 0;
  const stopCounting = agent.on((event) => {
    if (event.type !== "message.added" || event.message.role !== "user") return;
    if (event.message.from === undefined) wakes = 0;
  });
  const stopHearing = engine.on(
    (event) => {
      if (event.type !== "hook.decided" || event.point !== "file_changed") return;
      const rests = agent.state === "idle" || agent.state === "done" || agent.state === "failed";
      if (!rests || isUnfinished(agent) || wakes >= MAX_IN_A_ROW) return;
      wakes += 1;
      void agent.send([]);
    },
    ["hook.decided"],
  );
  return () => {
    stopCounting();
    stopHearing();
  };
}

/** True where the model still has to answer: to wake the agent would have it go on with that. */
function isUnfinished(agent: RunningAgent): boolean {
  const last = agent.messages().at(-1);
  return last !== undefined && last.role !== "assistant";
}
