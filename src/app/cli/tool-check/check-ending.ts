import { loadPty } from "../../../system/native-packages.ts";
import { endTree } from "../../../system/process/tree.ts";
import { fail, pass, skipped, type Finding } from "./finding.ts";
import { GRACE_MS, type Run, type Subject } from "./run-once.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** Checks that TERM ends a run that waits for its input. */
export function checkTerm(run: Run): Finding {
  const check = "term";
  if (!run.isLate) return skipped(check, "it does not wait for its input, so TERM could not be tested");
  if (run.signal !== "SIGKILL" && run.endingMs < GRACE_MS) return pass(check, "TERM ends it");
  const fix = "handle TERM and end all child processes; KILL follows";
  return fail(check, `TERM did not end it within ${GRACE_MS / 1000} s`, fix);
}

/** Checks that no run left a process behind. */
export function checkLeft(runs: readonly Run[]): Finding {
  const check = "processes";
  if (runs.some((run) => run.left === undefined)) return skipped(check, "needs /proc");
  const [first] = runs.flatMap((run) => run.left ?? []);
  if (first === undefined) return pass(check, "no process is left running");
  return fail(check, `it left running: ${first}`, "wait for child processes, or end them, before answering");
}

/** Checks that it does not prompt if it has a terminal. */
export async function checkTerminal(subject: Subject, limitMs: number): Promise<Finding> {
  const check = "terminal";
  const pty = await loadPty().catch(() => undefined);
  if (pty === undefined) return skipped(check, "no terminal can be opened on this system");
  const script = 'printf "no JSON" | "$0" >/dev/null 2>&1';
  const terminal = pty.spawn("/bin/sh", ["-c", script, subject.path], {
    cwd: subject.cwd,
    env: { ...subject.environment },
  });
  const exited = Promise.withResolvers<boolean>();
  terminal.onData(() => undefined);
  terminal.onExit(() => exited.resolve(true));
  const exitedOrAborted = untilAborted(exited.promise, subject.signal).catch(() => false);
  const hasEnded = await withTimeout(exitedOrAborted, limitMs, () => false);
  if (!hasEnded) await endTree(terminal.pid, GRACE_MS);
  subject.signal.throwIfAborted();
  if (hasEnded) return pass(check, "it does not prompt on the terminal");
  return fail(check, "it waits for the terminal", "read all input from standard input; never prompt");
}
