import type * as Pty from "@lydell/node-pty";
import { endTree } from "../../../system/process/tree.ts";
import type { Finding } from "./finding.ts";
import { fail, pass, skipped } from "./finding.ts";
import type { Run, Subject } from "./run-once.ts";
import { GRACE_MS } from "./run-once.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** Of a run whose input never came: TERM ended it. */
export function checkTerm(run: Run): Finding {
  const check = "term";
  if (!run.isLate) return skipped(check, "it does not wait for its input, so there was nothing to end");
  if (run.signal !== "SIGKILL" && run.endingMs < GRACE_MS) return pass(check, "TERM ends it");
  const mend = "do not ignore TERM, and end what was started: the call is over, and KILL follows";
  return fail(check, `TERM did not end it within ${GRACE_MS / 1000} s`, mend);
}

/** No run left a process behind. */
export function checkLeft(runs: readonly Run[]): Finding {
  const check = "processes";
  if (runs.some((run) => run.left === undefined)) return skipped(check, "needs /proc");
  const [first] = runs.flatMap((run) => run.left ?? []);
  if (first === undefined) return pass(check, "nothing is left running");
  return fail(check, `it left running: ${first}`, "wait for what it starts, or end it, before it answers");
}

/** With a terminal at hand it still ends by itself: it asks nobody. */
export async function checkTerminal(subject: Subject, limitMs: number): Promise<Finding> {
  const check = "terminal";
  const pty = await loadPty();
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
  if (hasEnded) return pass(check, "it does not wait for a person on the terminal");
  return fail(check, "it waits for the terminal", "take everything from standard input: nobody sits there");
}

async function loadPty(): Promise<typeof Pty | undefined> {
  return import("@lydell/node-pty").catch(() => undefined);
}
