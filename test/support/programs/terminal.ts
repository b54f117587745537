import { execFile, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The first look at a screen comes soon, later ones less often: each starts a process. */
const LOOK_MS = 40;
const MAX_LOOK_MS = 250;
const LIMIT_MS = 60_000;

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** For a test's `skip` option: with CI=true nothing is skipped, and what needs it fails. */
export const withoutTmux: string | false =
  hasTmux || process.env["CI"] === "true" ? false : "needs tmux, which makes a real terminal";

export interface TerminalOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** All of the program's environment but TERM. */
  readonly environment: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** How long a text may take to appear; default: 60 s. */
  readonly limitMs?: number;
}

/** A program on a real terminal, with somebody before it who types and looks. */
export interface Terminal {
  /** Types characters as they are. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `C-c`, `M-Enter`, `Up` … */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes a text, as a terminal tells that it was pasted. */
  paste(text: string): Promise<void>;
  /** What is on the screen, without the blank rows at its end. */
  screen(): Promise<string>;
  /** The same with the escapes that colour it. */
  colours(): Promise<string>;
  /** The screen and what has scrolled out of it; rows that the terminal broke are joined. */
  scrollback(): Promise<string>;
  /** The screen as soon as it shows something; fails with the screen in the message when it never does. */
  waitFor(wanted: RegExp | string): Promise<string>;
  /** The same until it does not show something any more. */
  waitUntilGone(unwanted: RegExp | string): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  cursor(): Promise<{ readonly x: number; readonly y: number; readonly isShown: boolean }>;
  /** The pid of what runs on the terminal. */
  pid(): Promise<number>;
}

let opened = 0;

/** Starts a program on a terminal of its own, which is gone after the test. */
export async function openTerminal(
  t: Pick<TestContext, "after">,
  options: TerminalOptions,
): Promise<Terminal> {
  const { command, cwd, environment, columns = 80, rows = 24, limitMs = LIMIT_MS } = options;
  opened += 1;
  const socket = `toolwright-${process.pid}-${opened}`;
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run("tmux", ["-L", socket, "-f", "/dev/null", ...args])).stdout;
  t.after(() => tmux("kill-server").catch(() => undefined));
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(columns), "-y", String(rows)];
  const words = ["env", "-i", "TERM=screen-256color", ...variables, ...command];
  // Without a shell's own prompt after it: what is left on the screen is the program's.
  await tmux("new-session", "-d", ...size, "-c", cwd, ...words, ";", "set", "remain-on-exit", "on");

  const capture = async (...flags: readonly string[]): Promise<string> =>
    (await tmux("capture-pane", "-p", ...flags)).trimEnd();
  const screen = (): Promise<string> => capture();
  const waitUntil = async (told: string, holds: (screen: string) => boolean): Promise<string> => {
    const end = performance.now() + limitMs;
    for (let lookMs = LOOK_MS; ; lookMs = Math.min(MAX_LOOK_MS, lookMs * 1.5)) {
      const shown = await screen();
      if (holds(shown)) return shown;
      if (performance.now() > end) throw new Error(`waited in vain ${told}; the screen is\n${shown}`);
      await wait(lookMs);
    }
  };
  const shows = (wanted: RegExp | string) => (shown: string) =>
    typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown);
  return {
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    press: async (...keys) => void (await tmux("send-keys", "--", ...keys)),
    async paste(text) {
      // On standard input: an argument of tmux has at most 16 KB.
      const loading = run("tmux", ["-L", socket, "load-buffer", "-"]);
      loading.child.stdin?.end(text);
      await loading;
      await tmux("paste-buffer", "-p", "-r");
    },
    screen,
    colours: () => capture("-e"),
    scrollback: () => capture("-J", "-S", "-"),
    waitFor: (wanted) => waitUntil(`for ${String(wanted)}`, shows(wanted)),
    waitUntilGone: (unwanted) =>
      waitUntil(`for ${String(unwanted)} to go`, (shown) => !shows(unwanted)(shown)),
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    async cursor() {
      const told = await tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}");
      const [x = 0, y = 0, flag = 0] = told.trim().split(" ").map(Number);
      return { x, y, isShown: flag === 1 };
    },
    pid: async () => Number(await tmux("display-message", "-p", "#{pane_pid}")),
  };
}
