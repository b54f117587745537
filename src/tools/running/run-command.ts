import { existsSync } from "node:fs";
import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact } from "../../core/fact.ts";
import { createCapture } from "../../system/process/capture.ts";
import { holdTarget } from "../../system/paths/folder.ts";
import { runProcess } from "../../system/process/process.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { commandFactOf, pathFactOf } from "../shared/facts.ts";
import {
  MAX_SANDBOX_OUTPUT,
  confine,
  confinementNotes,
  environmentOf,
  tooMuchOutput,
  type Program,
} from "./confine.ts";
import { isBlockedByBox } from "./blocked-by-box.ts";
import { KILL_MS, type RunningOptions } from "./options.ts";
import type { Running } from "./running.ts";
import { answer, abortedCommand, captureOptions, restNotes } from "./shell-answer.ts";
import { startsItself, type Lookup } from "./starts-itself.ts";
import { startBackground } from "../../system/process/background.ts";

/** Matches a command that may open its own output by name. */
const OPENS_OUTPUT = /\/dev\/(?:stdout|stderr|fd\/)|\/proc\/self\/fd/;

/**
 * Runs the judged command to its end: in a new shell, or without one if it is proven to be a single program. If it was only tried in a
 * read-only sandbox and failed because of that, nothing has happened, and `runOutside` runs it again, with approval.
 */
export async function runCommand(
  running: Omit<RunningOptions, "limits"> & Partial<Pick<Running, "roster">>,
  context: ToolContext,
  runOutside?: (tried: Reply) => Promise<Reply>,
): Promise<Reply> {
  const { environment, roster } = running;
  const fact = commandFactOf(context);
  const capture = createCapture(captureOptions(context));
  const folder = await holdTarget(pathFactOf(context));
  let printed = 0;
  let release: Promise<void> | undefined;
  try {
    const place = { cwd: folder.here, env: await environmentOf(context, environment) };
    const end = await withProgram(fact, place, async (program) =>
      runProcess({
        ...(await confine(program, running, context)),
        roster,
        signal: context.signal,
        graceMs: KILL_MS,
        // The process holds its folder from now on.
        onStart: () => void (release = folder.close()),
        onOutput(chunk) {
          printed += chunk.text.length;
          if (fact.place === "sandbox" && printed > MAX_SANDBOX_OUTPUT) throw tooMuchOutput();
          context.emit(chunk);
          return capture.write(chunk);
        },
      }),
    );
    const captured = await capture.close();
    if (context.signal.aborted)
      throw abortedCommand(context.signal.reason, end, captured, runOutside && timeoutHint(fact, context));
    const notes = [...restNotes(end), ...confinementNotes(fact, end, captured)];
    const reply = answer(end, captured, { notes });
    const mayHelp = isTrial(fact) && isBlockedByBox(end, captured);
    return mayHelp && runOutside !== undefined ? await runOutside(reply) : reply;
  } finally {
    await (release ?? folder.close());
  }
}

/** Returns true for a command that runs in the read-only sandbox though nothing proves that it only reads. */
function isTrial({ place, reading }: CommandFact): boolean {
  return (
    place === "sandbox" && reading?.mayBeTried === true && !reading.isReadOnly && reading.readsInBox !== true
  );
}

/**
 * Calls `start` with the program itself if the command is proven to be that one program, else with a shell and the text. The shell is
 * also used if it would do more than start the program, or would report why it cannot.
 */
async function withProgram<T>(
  fact: CommandFact,
  { cwd, env }: Lookup,
  start: (program: Program) => Promise<T>,
): Promise<T> {
  const namedPipes = OPENS_OUTPUT.test(fact.text);
  const inShell = {
    file: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
    // A text that begins with a dash is not an option.
    args: ["-c", "--", fact.text],
    cwd,
    env,
    namedPipes,
  };
  const [file, ...args] = fact.argv ?? [];
  if (file === undefined || !startsItself(file, { cwd, env })) return start(inShell);
  try {
    // Shells set PWD for their programs.
    return await start({ file, args, cwd, env: { ...env, PWD: fact.cwd }, namedPipes });
  } catch (error) {
    if (isFailedStart(error, file)) return start(inShell);
    throw error;
  }
}

/** True if nothing was started; after a later failure the program must not be started again. */
function isFailedStart(error: unknown, file: string): boolean {
  return error instanceof ToolError && error.details?.["file"] === file && "errno" in error.details;
}

/** Starts the judged command and returns its id at once. It runs until it ends, is stopped, or the session ends. */
export async function runInBackground(running: Running, context: ToolContext): Promise<Reply> {
  const { environment, limits, roster } = running;
  const command = commandFactOf(context);
  const env = await environmentOf(context, environment);
  await using folder = await holdTarget(pathFactOf(context));
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
}

/** Returns the hint for a command of `shell` that reached one of its limits, unless the reason has one. */
function timeoutHint(
  { place }: CommandFact,
  { signal: { reason } }: ToolContext,
): { readonly hint?: string } {
  if (!(reason instanceof ToolError) || reason.code !== "TOOL_TIMEOUT" || reason.hint !== undefined)
    return {};
  const box =
    place === "sandbox"
      ? "it ran in a read-only sandbox without network; if it waited for the network, outside_sandbox=true asks for approval to run it outside; "
      : "";
  return {
    hint: `${box}a larger timeout_seconds gives it longer, and idle_timeout_seconds if it printed nothing; background=true lets it run on`,
  };
}
