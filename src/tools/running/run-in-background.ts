import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { startBackground } from "../../system/process/background.ts";
import { holdTarget } from "../../system/paths/folder.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { commandFactOf, pathFactOf } from "../shared/facts.ts";
import { confine, environmentOf } from "./confine.ts";
import { captureOptions, withProgram } from "./run-command.ts";
import type { Running } from "./running.ts";

/** Starts the judged command and returns its id at once. It runs until it ends, is stopped, or the session ends. */
export async function runInBackground(running: Running, context: ToolContext): Promise<Reply> {
  const { environment, limits, roster } = running;
  const command = commandFactOf(context);
  const env = await environmentOf(context, environment);
  const folder = await holdTarget(pathFactOf(context));
  try {
    const { id, process } = await running.processesOf(context).start(command.text, () =>
      withProgram(command, { cwd: folder.here, env }, async (program) =>
        startBackground({
          ...(await confine(program, running, context)),
          // An answer also has a line about the process.
          capture: { ...captureOptions(context), maxBytes: SHOWN_TEXT_BYTES },
          headCharacters: SHOWN_TEXT_BYTES,
          ttlMs: limits.processMs,
          roster,
        }),
      ),
    );
    const minutes = Math.round(limits.processMs / 60_000);
    return new Reply(
      `[started ${id}, pid ${process.pid}; view_background_processes id=${id} shows its output, ` +
        `stop_background_process id=${id} ends it; it ends with the session, or after ${minutes} minutes]`,
      { data: { id, pid: process.pid, state: "running" } },
    );
  } finally {
    await folder.close();
  }
}
