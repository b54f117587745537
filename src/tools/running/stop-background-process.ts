import { builtIn } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { isRunning } from "./background-processes.ts";
import type { Running } from "./running.ts";
import { dataOf, lineOf } from "./view-background-processes.ts";

const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 60;
/** Time for the kill and for reading the last output. */
const MARGIN_MS = 5000;

const input = object({
  id: string("The id that shell returned", { min: 1 }),
  grace_seconds: optional(
    integer("Seconds to end by itself before it is killed", { min: 0, max: MAX_SECONDS }),
    DEFAULT_SECONDS,
  ),
});

/** Ends a background process and all processes it started. */
export function stopBackgroundProcess(running: Running): Tool {
  return builtIn({
    name: "stop_background_process",
    description:
      "Ends a process that shell started with background=true, and all processes it started: TERM first, KILL after " +
      `grace_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}).`,
    input,
    risk: "medium",
    place: "sandbox",
    group: "running",
    effects: "idempotent",
    limitsOf: ({ grace_seconds }) => ({ timeoutMs: grace_seconds * 1000 + MARGIN_MS }),
    async run({ id, grace_seconds }, context) {
      const named = running.processesOf(context).get(id);
      if (!isRunning(named))
        return new Reply(`${lineOf(named)}\n[it had already ended]`, { data: dataOf(named) });
      await named.process.stop(grace_seconds * 1000);
      return new Reply(lineOf(named), { data: dataOf(named) });
    },
  });
}
