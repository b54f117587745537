import type { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { createCapture, type Capture, type Captured, type Tail } from "../../system/process/capture.ts";
import { holdTarget } from "../../system/paths/folder.ts";
import { keyBytes } from "../../system/terminal/keys.ts";
import type { CommandEnd } from "../../system/terminal/state.ts";
import type { Terminal } from "../../system/terminal/terminal.ts";
import { withoutControls } from "../../util/text/sanitize.ts";
import { commandFactOf, pathFactOf } from "../shared/facts.ts";
import { proxied } from "./proxied.ts";
import { KILL_MS } from "./options.ts";
import type { Running } from "./running.ts";
import { answer, abortedCommand, captureOptions } from "./shell-answer.ts";
import type { Terminals } from "./terminals.ts";
import { createIdleTimer, type IdleLimits } from "./idle-timer.ts";

/** How long a command may be silent after input before the call returns. */
const INPUT_QUIET_MS = 1000;
const STILL_RUNNING = { exitCode: null, signal: null, isOver: false };

interface TerminalInput {
  readonly terminal_id: string;
  readonly cwd?: string;
  readonly timeout_seconds: number;
  readonly idle_timeout_seconds?: number;
  readonly no_enter?: boolean;
}

/** Runs the judged command in a persistent terminal; opens the terminal if there is none with that id. */
export async function runInTerminal(
  running: Running,
  input: TerminalInput,
  context: ToolContext,
): Promise<Reply> {
  const terminals = running.terminalsOf(context);
  const id = input.terminal_id;
  const notes = terminals.hasEnded(id)
    ? ["[the earlier terminal with that id has ended: this is a new one]"]
    : [];
  await using folder = await holdTarget(pathFactOf(context));
  const known = terminals.find(id);
  const terminal =
    known ?? (await terminals.open(id, folder.here, await proxied(running.environment, context)));
  assertIdle(terminal, id);
  const here = folder.here.replace("/proc/self/", `/proc/${process.pid}/`);
  const goTo = known === undefined || input.cwd === undefined ? undefined : here;
  if (goTo === undefined) {
    await assertFolder(terminal, pathFactOf(context).path);
    // Another call may have started a command meanwhile.
    assertIdle(terminal, id);
  }
  const { text } = commandFactOf(context);
  return await watch({ terminal, id, input, context, notes }, () => {
    terminal.start(text, goTo);
  });
}

/** Sends the judged text to the command that runs in a terminal; an empty text only reads the output. */
export async function sendToTerminal(
  running: Running,
  input: TerminalInput,
  context: ToolContext,
): Promise<Reply> {
  const terminals = running.terminalsOf(context);
  const id = input.terminal_id;
  const terminal = terminals.find(id);
  const { text } = commandFactOf(context);
  if (terminal === undefined) throw noTerminal(id, terminals);
  if (text !== "" && terminal.running() === undefined) throw idle(id);
  return watch({ terminal, id, input, context, notes: [], isInput: true }, () => {
    if (text !== "") terminal.send(keyBytes(text) ?? (input.no_enter === true ? text : `${text}\r`));
  });
}

interface Watch {
  readonly terminal: Terminal;
  readonly id: string;
  readonly input: TerminalInput;
  readonly context: ToolContext;
  readonly notes: readonly string[];
  readonly isInput?: boolean;
}

/** Acts in a terminal and reads the output until the command ends, is silent, or is aborted. */
async function watch(options: Watch, act: () => void): Promise<Reply> {
  const { terminal, context } = options;
  const capture = createCapture(captureOptions(context));
  const timer = createIdleTimer(limitsOf(options), context.signal);
  const stopReading = terminal.read((text) => {
    const chunk = { stream: "stdout", text } as const;
    timer.touch();
    context.emit(chunk);
    return capture.write(chunk);
  });
  try {
    act();
    const end = await Promise.race([terminal.running()?.ended, timer.expired]);
    if (context.signal.aborted) return await abort(options, end, capture);
    stopReading();
    return describe(options, end, capture);
  } finally {
    stopReading();
    timer.close();
  }
}

/** The call returns while the command runs on, if it was sent input or has an idle timeout. */
function limitsOf({ input, isInput }: Watch): IdleLimits {
  const quietMs = input.idle_timeout_seconds === undefined ? undefined : input.idle_timeout_seconds * 1000;
  if (isInput !== true) return { quietMs, limitMs: undefined };
  return { quietMs: quietMs ?? INPUT_QUIET_MS, limitMs: input.timeout_seconds * 1000 };
}

async function describe(
  { terminal, id, notes }: Watch,
  end: CommandEnd | undefined,
  capture: Capture,
): Promise<Reply> {
  const captured = cleaned(await capture.close());
  const state = stateOf(terminal);
  const stateNotes = {
    ready: [],
    busy: [`[still running in terminal ${id}: is_input sends text or keys to it, C-c ends it]`],
    ended: [`[terminal ${id} has ended]`],
  }[state];
  return answer(end ?? STILL_RUNNING, captured, {
    notes: [...stateNotes, ...notes],
    data: { terminal_id: id, terminal_state: state },
  });
}

/** Sends Ctrl-C to the command; input that was sent cannot be undone. */
async function abort(
  { terminal, id, context, isInput }: Watch,
  end: CommandEnd | undefined,
  capture: Capture,
): Promise<never> {
  let outcome = end;
  if (isInput !== true && end === undefined) {
    terminal.interrupt();
    const timer = createIdleTimer({ quietMs: undefined, limitMs: KILL_MS });
    outcome = await Promise.race([terminal.running()?.ended, timer.expired]);
    timer.close();
  }
  const state = stateOf(terminal);
  const hint = {
    ready: `the command got Ctrl-C; terminal ${id} is ready for the next one`,
    busy: `terminal ${id} is still busy with it: is_input sends text or keys to it, C-c or C-\\ ends it`,
    ended: `terminal ${id} has ended`,
  }[state];
  throw abortedCommand(context.signal.reason, outcome ?? STILL_RUNNING, cleaned(await capture.close()), {
    hint,
    data: { terminal_id: id, terminal_state: state },
  });
}

/** Removes colours and cursor movements, which only a screen can show. */
function cleaned({ all, stdout, stderr, ...rest }: Captured): Captured {
  const clean = (tail: Tail): Tail => ({ ...tail, text: withoutControls(tail.text) });
  return { ...rest, all: clean(all), stdout: clean(stdout), stderr: clean(stderr) };
}

function stateOf(terminal: Terminal): "ready" | "busy" | "ended" {
  if (terminal.isOver()) return "ended";
  return terminal.running() === undefined ? "ready" : "busy";
}

/** Throws if the shell has changed its folder since the command was judged. */
async function assertFolder(terminal: Terminal, judged: string): Promise<void> {
  const folder = await terminal.folder();
  if (folder === judged) return;
  const message = `the terminal changed its folder between check and use: it is in ${folder} now`;
  throw new ToolError("TOOL_FAILED", message);
}

function assertIdle(terminal: Terminal, id: string): void {
  const command = terminal.running()?.text;
  if (command === undefined) return;
  const commandHead = command.length > 80 ? `${command.slice(0, 80)}…` : command;
  throw new ToolError("TOOL_FAILED", `terminal ${id} is still busy with: ${commandHead}`, {
    hint: "is_input: true sends text or keys to it (C-c ends it); or use another terminal_id",
    details: { terminal_id: id, terminal_state: "busy" },
  });
}

function idle(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `no command is running in terminal ${id} that could take input`, {
    hint: "leave is_input out to run a command",
    details: { terminal_id: id, terminal_state: "ready" },
  });
}

function noTerminal(id: string, terminals: Terminals): ToolError {
  const open = terminals.ids();
  const message = terminals.hasEnded(id) ? `terminal ${id} has ended` : `unknown terminal ${id}`;
  return new ToolError("TOOL_FAILED", message, {
    hint: `a command without is_input opens it${open.length === 0 ? "" : `; open now: ${open.join(", ")}`}`,
    details: { terminal_id: id, terminal_state: "ended" },
  });
}
