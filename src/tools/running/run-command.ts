import { existsSync } from "node:fs";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import type { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact } from "../../core/fact.ts";
import type { CaptureOptions } from "../../system/process/capture.ts";
import { createCapture } from "../../system/process/capture.ts";
import { holdTarget } from "../../system/paths/folder.ts";
import type { ProcessOptions } from "../../system/process/process.ts";
import { runProcess } from "../../system/process/process.ts";
import { KEPT_TEXT_BYTES, MAX_TEXT_BYTES } from "../shared/answer-limits.ts";
import { judgedCommand, judgedPath } from "../shared/judged.ts";
import type { Running } from "./running.ts";
import { answer, cutShort } from "./shell-answer.ts";
import type { Lookup } from "./starts-itself.ts";
import { startsItself } from "./starts-itself.ts";

/** From TERM to KILL. */
export const KILL_MS = 1000;

/** A command that may open its own output by name. */
const OPENS_OUTPUT = /\/dev\/(?:stdout|stderr|fd\/)|\/proc\/self\/fd/;

/** Runs the judged command to its end, in a shell of its own, or in none where it is proven to be one plain program. */
export async function runCommand(
  { environment, roster }: Pick<Running, "environment" | "roster">,
  context: ToolContext,
): Promise<Reply> {
  const capture = createCapture(captureOptions(context));
  const folder = await holdTarget(judgedPath(context));
  let unregister = (): void => undefined;
  let letGo: Promise<void> | undefined;
  try {
    const place = { cwd: folder.here, env: environment };
    const end = await withProgram(judgedCommand(context), place, (program) =>
      runProcess({
        ...program,
        signal: context.signal,
        graceMs: KILL_MS,
        onStart(pid) {
          unregister = roster.register(pid);
          // From here on the process holds its folder itself.
          letGo = folder.close();
        },
        onOutput(chunk) {
          context.emit(chunk);
          return capture.write(chunk);
        },
      }),
    );
    const captured = await capture.close();
    if (context.signal.aborted) throw cutShort(context.signal.reason, end, captured);
    return answer(end, captured);
  } finally {
    unregister();
    await (letGo ?? folder.close());
  }
}

type Program = Pick<ProcessOptions, "file" | "args" | "cwd" | "env" | "namedPipes">;

/**
 * Hands over what to start: the program itself where the command is proven to be that one program, else a shell with the
 * text. Where a shell would do more than start it, or would have to say why it cannot, the shell does.
 */
export async function withProgram<T>(
  fact: CommandFact,
  { cwd, env }: Lookup,
  start: (program: Program) => Promise<T>,
): Promise<T> {
  const namedPipes = OPENS_OUTPUT.test(fact.text);
  const inShell = {
    file: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
    // A text that begins with a dash is no option.
    args: ["-c", "--", fact.text],
    cwd,
    env,
    namedPipes,
  };
  const [file = "", ...args] = fact.argv ?? [];
  if (!startsItself(file, { cwd, env })) return start(inShell);
  try {
    // Every shell tells its programs where they are.
    return await start({ file, args, cwd, env: { ...env, PWD: fact.cwd }, namedPipes });
  } catch (error) {
    if (isFailedStart(error, file)) return start(inShell);
    throw error;
  }
}

/** True where nothing was started; whatever fails later must not start it again. */
function isFailedStart(error: unknown, file: string): boolean {
  return error instanceof ToolError && error.details?.["file"] === file && "errno" in error.details;
}

/** How the output of a command is kept: its end in the answer, the whole as an artifact. */
export function captureOptions(context: ToolContext): CaptureOptions {
  return {
    maxBytes: MAX_TEXT_BYTES,
    tailBytes: KEPT_TEXT_BYTES,
    spill: () => context.find(ArtifactsKey)?.create(),
  };
}
