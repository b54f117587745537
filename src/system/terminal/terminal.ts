import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IPty, spawn as Spawn } from "@lydell/node-pty";
import { ToolError } from "../../core/errors.ts";
import type { Roster } from "../process/roster.ts";
import { endTree } from "../process/tree.ts";
import { bootScript, commandLine, quote } from "./boot.ts";
import type { OnText, RunningCommand } from "./state.ts";
import { createTerminalState } from "./state.ts";
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
}

/** A shell in a terminal of its own: folder, variables and jobs live on from command to command. */
export interface Terminal {
  readonly pid: number;
  /** The command that it is busy with. */
  readonly running: () => RunningCommand | undefined;
  readonly isOver: () => boolean;
  /** The folder that its shell is in. */
  folder(): Promise<string>;
  /** Runs a command; only while it is busy with no other. `folder` is where the shell goes first. */
  start(text: string, folder?: string): RunningCommand;
  /** Sends text as if typed. */
  send(text: string): void;
  /** Asks the command to end, as Ctrl-C does. */
  interrupt(): void;
  /** Hands over what is printed, beginning with what nobody has read, to one reader; gives back the way to stop. */
  readonly read: (onText: OnText) => () => void;
  /** Ends the shell and everything it started. */
  close(): Promise<void>;
}

/** Starts a shell in a terminal. Rejects where there is no bash, or none that answers. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  if (!existsSync(BASH)) {
    throw new ToolError("UNAVAILABLE", `a terminal needs bash, and there is no ${BASH}`, {
      hint: "leave terminal_id out: every command then runs in a shell of its own",
    });
  }
  const token = randomBytes(12).toString("hex");
  const files = await mkdtemp(join(tmpdir(), "toolwright-terminal-"));
  try {
    await writeFile(join(files, "boot"), bootScript(token), { mode: 0o600 });
    return await startShell(options, token, files);
  } catch (error) {
    await rm(files, { recursive: true, force: true });
    throw error;
  }
}

async function startShell(options: TerminalOptions, token: string, files: string): Promise<Terminal> {
  const pty = spawnShell(options);
  const strikeOff = options.roster.enter(pty.pid);
  const state = createTerminalState(pty, token);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // An interactive shell ignores TERM; hung up, it goes.
    if (!state.isOver()) pty.kill("SIGHUP");
    await endTree(pty.pid, KILL_MS);
    await state.over;
    strikeOff();
    await rm(files, { recursive: true, force: true });
  };
  const closeOnce = (): Promise<void> => (closing ??= close());
  void state.over.then(closeOnce);
  pty.write(` . ${quote(join(files, "boot"))}\n`);
  if (!(await withTimeout(state.ready, START_MS, () => false))) {
    await closeOnce();
    throw new ToolError("UNAVAILABLE", `${BASH} did not come up in a terminal`);
  }
  return {
    pid: pty.pid,
    running: state.running,
    isOver: state.isOver,
    folder: () => readlink(`/proc/${pty.pid}/cwd`).catch(() => realpath(state.folder())),
    start(text, folder) {
      const goFirst = folder === undefined ? "" : `cd -P -- ${quote(folder)} || return; `;
      // A file of its own each time: some file systems write one that is emptied and filled again to the disk at once.
      const file = join(files, `command-${state.count() + 1}`);
      writeFileSync(file, `${goFirst}${text}\n`, { mode: 0o600 });
      const running = state.begin(text);
      running.ended.then(() => rm(file, { force: true })).catch(() => undefined);
      const line = `${commandLine(file, running.number)}\n`;
      state.hide(line);
      pty.write(line);
      return running;
    },
    send: (text) => pty.write(text),
    interrupt: () => pty.write(INTERRUPT),
    read: state.read,
    close: closeOnce,
  };
}

function spawnShell({ cwd, env }: TerminalOptions): IPty {
  const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as { readonly spawn: typeof Spawn };
  const plain = { ...env, PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat" };
  return spawn(BASH, ["--noprofile", "--norc", "--noediting", "-i"], {
    ...SIZE,
    name: "dumb",
    cwd,
    env: plain,
  });
}
