import type { Budget } from "../../../agent/budget/budget.ts";
import type { RunningAgent } from "../../../agent/runtime/running-agent.ts";
import type { Entry, SessionInfo } from "../../../agent/sessions/transcript.ts";
import type { Approver } from "../../../core/approval.ts";
import type { Mode } from "../../../core/policy.ts";
import type { TeamMember } from "../../../core/agent/team.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import type { History } from "../edit/history.ts";

/** What the REPL shows of its session; read again whenever it is drawn. */
export interface ReplInfo {
  readonly id: string;
  readonly model: string;
  readonly mode: Mode;
  readonly workspace: string;
  readonly budget?: Budget;
}

export interface ShownTodo {
  readonly text: string;
  readonly status: string;
}

/** What the REPL talks to; it loads in the background while the REPL is already there. */
export interface ReplSession {
  readonly agent: RunningAgent;
  /** Tells of the calls: their progress, answers and approvals. */
  readonly engine: Engine;
  readonly info: ReplInfo;
  /** Those that need more than the REPL has, extensions' and MCP prompts among them; read again at each use. */
  readonly commands: readonly SlashCommand[];
  /** A command that is not among these because nobody knows yet what there is: a prompt of a server that is only starting. */
  findCommand(name: string, signal: AbortSignal): Promise<SlashCommand | undefined>;
  /** What was kept of the session before, to be shown; empty for a new one. */
  readonly entries: readonly Entry[];
  /** What was typed before, in any session. */
  readonly history: History;
  /** What was set but means nothing, one line each. */
  readonly warnings: readonly string[];
  todos(): Promise<readonly ShownTodo[]>;
  /** The kept sessions of this workspace, the last used first. */
  sessions(): Promise<readonly SessionInfo[]>;
  /** Every agent of the team, parents before their children; none where there is only this one. */
  team(): readonly TeamMember[];
  /** Keeps a slash command and what it showed; no model ever sees it. */
  recordCommand(text: string, output: string): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  /** Throws a `ToolError` where there is no such model. */
  setModel(id: string): Promise<void>;
  /** The whole session, as it is kept. */
  exportAs(form: "markdown" | "json"): Promise<string>;
  /** Another session in place of this one, which is closed. Throws a `ToolError` and changes nothing where it cannot be had. */
  newSession(): Promise<ReplSession>;
  resume(id: string): Promise<ReplSession>;
  close(): Promise<void>;
}

export interface ReplOptions {
  /** Opens the session; calls that must be asked about come to the approver. */
  readonly open: (approver: Approver) => Promise<ReplSession>;
  readonly version: string;
  /** Where it was started; shown in the first line. */
  readonly folder: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** For what goes wrong where there is no screen. */
  readonly stderr: NodeJS.WriteStream;
  /** False: no escape for colour or style is written. */
  readonly isColoured: boolean;
  /** False where the terminal cannot move its cursor, or there is none: everything is plain lines. */
  readonly isScreen: boolean;
}
