import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { startBackground } from "../../system/process/background.ts";
import { holdTarget } from "../../system/paths/folder.ts";
import { KEPT_TEXT_BYTES } from "../shared/answer-limits.ts";
import { judgedCommand, judgedPath } from "../shared/judged.ts";
import { captureOptions, withProgram } from "./run-command.ts";
import type { Running } from "./running.ts";

/** Starts the judged command and answers at once with its id. It runs until it ends, is stopped, or the session ends. */
export async function runInBackground(running: Running, context: ToolContext): Promise<Reply> {
  const { environment, limits, roster } = running;
  const command = judgedCommand(context);
  const folder = await holdTarget(judgedPath(context));
  try {
    const { id, process } = await running.processesOf(context).start(command.text, () =>
      withProgram(command, { cwd: folder.here, env: environment }, (program) =>
        startBackground({
          ...program,
          // No more than one answer shows, with a line about the process above it.
          capture: { ...captureOptions(context), maxBytes: KEPT_TEXT_BYTES },
          headCharacters: KEPT_TEXT_BYTES,
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
