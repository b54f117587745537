import { randomBytes } from "node:crypto";
import { existsSync, readlinkSync, writeFileSync } from "node:fs";
import { realpath, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { IPty } from "@lydell/node-pty";
import { loadPty } from "../native-packages.ts";
import { ToolError } from "../../core/errors.ts";
import type { Roster } from "../process/roster.ts";
import { makeTemporaryFolder } from "../process/temporary-folder.ts";
import { launched } from "../process/launched.ts";
import { MARKER, createMarker, recordStart } from "../process/marker.ts";
import { endTree } from "../process/tree.ts";
import { bootScript, commandLine, quote } from "./boot.ts";
import { createTerminalState, type RunningCommand } from "./state.ts";
import { attempt } from "../../util/async/attempt.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";

const BASH = "/bin/bash";
const SIZE = { cols: 120, rows: 40 };
const START_MS = 10_000;
const KILL_MS = 1000;
const INTERRUPT = "\u0003";

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly roster: Roster;
  /** Starts the shell. */
  readonly launcher?: readonly string[] | undefined;
}

/** A shell in a terminal: folder, variables and jobs persist between commands. */
export type Terminal = Readonly<Awaited<ReturnType<typeof startShell>>>;

/** Starts a shell in a terminal. Rejects with `UNAVAILABLE` if bash is missing or does not respond. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  if (!existsSync(BASH)) {
    throw new ToolError("UNAVAILABLE", `a terminal needs bash, but ${BASH} does not exist`, {
      hint: "omit terminal_id to run each command in its own shell",
    });
  }
  const token = randomBytes(12).toString("hex");
  const files = await makeTemporaryFolder();
  try {
    await writeFile(join(files, "boot"), bootScript(token), { mode: 0o600 });
    return await startShell(options, token, files);
  } catch (error) {
    await rm(files, { recursive: true, force: true });
    throw error;
  }
}

async function startShell(options: TerminalOptions, token: string, files: string) {
  const marker = createMarker();
  const entry = options.roster.add(marker);
  const pty = await spawnShell({ ...options, env: { ...options.env, [MARKER]: marker } }).catch(
    (error: unknown) => {
      entry.ended();
      throw error;
    },
  );
  entry.started(pty.pid);
  const recordEnd = recordStart(pty.pid);
  const state = createTerminalState(pty, token);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // An interactive shell ignores SIGTERM, but not SIGHUP.
    if (!state.isOver()) pty.kill("SIGHUP");
    await endTree(pty.pid, KILL_MS, marker);
    await state.over;
    recordEnd();
    entry.ended();
    await rm(files, { recursive: true, force: true });
  };
  const closeOnce = (): Promise<void> => (closing ??= close());
  void state.over.then(closeOnce);
  pty.write(` . ${quote(join(files, "boot"))}\n`);
  if (!(await withTimeout(state.ready, START_MS, () => false))) {
    await closeOnce();
    throw new ToolError("UNAVAILABLE", `${BASH} did not start in a terminal`);
  }
  return {
    pid: pty.pid,
    /** The running command, if any. */
    running: state.running,
    isOver: state.isOver,
    /** The current folder of the shell. The system knows the link without a disk. */
    folder: async (): Promise<string> =>
      attempt(() => readlinkSync(`/proc/${pty.pid}/cwd`)) ?? realpath(state.folder()),
    /** Runs a command, after changing to `folder` if given. No other command may be running. */
    start(text: string, folder?: string): RunningCommand {
      const goFirst = folder === undefined ? "" : `cd -P -- ${quote(folder)} || return; `;
      // A new file each time: some file systems sync a truncated and rewritten file immediately.
      const file = join(files, `command-${state.count() + 1}`);
      writeFileSync(file, `${goFirst}${text}\n`, { mode: 0o600 });
      const running = state.begin(text);
      running.ended.then(() => unlink(file)).catch(() => undefined);
      const line = `${commandLine(file, running.number)}\n`;
      state.hide(line);
      pty.write(line);
      return running;
    },
    /** Sends text as keyboard input. */
    send: (text: string): void => pty.write(text),
    /** Interrupts the command, as Ctrl-C does. */
    interrupt: (): void => pty.write(INTERRUPT),
    /** Passes output, including unread output, to one reader. Returns a function that stops reading. */
    read: state.read,
    /** Kills the shell and everything it started. */
    close: closeOnce,
  };
}

async function spawnShell({ cwd, env, launcher }: TerminalOptions): Promise<IPty> {
  const { spawn } = await loadPty();
  const plain = { ...env, PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat" };
  const { file, args } = launched(
    { file: BASH, args: ["--noprofile", "--norc", "--noediting", "-i"] },
    launcher,
  );
  return spawn(file, args, {
    ...SIZE,
    name: "dumb",
    cwd,
    env: plain,
  });
}
