import type { Budget } from "../../../agent/budget/budget.ts";
import type { FoundModel } from "../../../models/find-models.ts";
import type { RunningAgent } from "../../../agent/runtime/running-agent.ts";
import type { Outcome } from "../../../agent/runtime/outcome.ts";
import type { Entry, SessionInfo } from "../../../agent/sessions/transcript.ts";
import type { Approver } from "../../../core/approval.ts";
import type { Level, Mode } from "../../../core/policy.ts";
import type { TeamMember } from "../../../core/agent/team.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { NamedProcess } from "../../../tools/running/background-processes.ts";
import type { Todo } from "../../../tools/memory/todos/todos.ts";
import type { Theme } from "../../config/settings/theme-setting.ts";
import type { Notify } from "../../config/settings/notify-setting.ts";
import type { ProjectInstructions } from "../../config/trust/project-instructions.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import type { FileChanges } from "../changes/file-changes.ts";
import type { History } from "../input/history.ts";

/** The facts of a session that the REPL shows. */
export interface ReplInfo {
  readonly id: string;
  readonly model: string;
  readonly mode: Mode;
  /** What happens to commands that no rule allows. */
  readonly level: Level;
  readonly workspace: string;
  /** What `~` stands for. */
  readonly home: string;
  readonly budget?: Budget;
  /** The context window of the model, in tokens. */
  readonly window: number;
  /** How many background processes run. */
  readonly background: number;
  /** The project's instructions that the model has. */
  readonly instructions: readonly Pick<ProjectInstructions, "path" | "text">[];
}

/** A conversation without its last message, and that message. */
export interface Rewound {
  readonly session: ReplSession;
  readonly text: string;
}

/** The session of the REPL; it loads in the background while the REPL is already shown. */
export interface ReplSession {
  readonly agent: RunningAgent;
  /** Emits the progress, answers and approvals of calls. */
  readonly engine: Engine;
  readonly info: ReplInfo;
  /** Commands that need the session, those of extensions and MCP prompts included; may change over time. */
  readonly commands: readonly SlashCommand[];
  /** Finds a command that is not listed yet: a prompt of a server that is still starting. */
  findCommand(name: string, signal: AbortSignal): Promise<SlashCommand | undefined>;
  /** The stored entries of a resumed session; empty for a new one. */
  readonly entries: readonly Entry[];
  /** The prompts of all sessions. */
  readonly history: History;
  /** Warnings about the configuration, one line each. */
  readonly warnings: readonly string[];
  todos(): Promise<readonly Todo[]>;
  /** Returns, for each background process that runs, a promise that resolves when it has ended. */
  background(): readonly Promise<void>[];
  /** Returns the background processes, ended ones too. */
  processes(): readonly NamedProcess[];
  /** Returns the messages of the person, the first one first. */
  prompts(): Promise<readonly string[]>;
  /** Opens a copy of the conversation and closes this one. */
  fork(): Promise<ReplSession>;
  /** Lists the stored sessions of this workspace, last used first. */
  sessions(): Promise<readonly SessionInfo[]>;
  /** Returns every agent of the team, parents before children; empty if there is only one. */
  team(): readonly TeamMember[];
  /** Returns the name of the agent of a session of the team. */
  readonly nameOf: (session: string) => string | undefined;
  /** Stores a slash command and its output; the model never sees it. */
  recordCommand(text: string, output: string): Promise<unknown>;
  setMode(mode: Mode): Promise<void>;
  /** Sets the level now and in the user's config, and returns that file. Rejects with `UNAVAILABLE` if it would have no effect here. */
  setLevel(level: Level): Promise<string>;
  /** Has the person choose a level where one has an effect; returns it, or undefined if none was chosen. */
  offerLevel(): Promise<Level | undefined>;
  /** Sets a setting in the user's config, and returns that file. */
  saveSetting(key: "theme" | "vim", value: string | boolean): Promise<string>;
  /** Gives the conversation a title. Rejects with a `ToolError` if it has no message yet. */
  rename(title: string): Promise<void>;
  /** Sets the model now and in the user's config, and returns that file. Rejects with a `ToolError` if there is no such model. */
  setModel(id: string): Promise<string>;
  /** Returns the models that can be used; `isFresh` looks for them again. Never rejects. */
  models(isFresh?: boolean): Promise<readonly FoundModel[]>;
  /** Uses the model that was set last, by whatever session. */
  useShared(): void;
  /**
   * Opens the conversation before a message of the person, the last one by default, and closes this one. Rejects with a `ToolError` if
   * there is no such message.
   */
  rewind(number?: number): Promise<Rewound>;
  /** The files that calls of all sessions changed. */
  readonly changes: FileChanges;
  /** Trusts what the agent writes to instructions such as AGENTS.md until it has answered. */
  trustNextInstructions(): void;
  /** Runs the tour in a conversation of its own, which `show` gets, and closes this one. */
  tour(show: (session: ReplSession) => void): Promise<Outcome>;
  /** Returns the whole stored session. */
  exportAs(form: "markdown" | "json"): Promise<string>;
  /** Opens a new session and closes this one. Rejects with a `ToolError` and changes nothing if it cannot be opened. */
  newSession(): Promise<ReplSession>;
  resume(id: string): Promise<ReplSession>;
  close(): Promise<void>;
}

export interface ReplOptions {
  /** Opens the session; `approver` decides about calls that need approval. */
  readonly open: (approver: Approver) => Promise<ReplSession>;
  readonly version: string;
  /** The folder in which it was started; shown in the first line. */
  readonly folder: string;
  /** The first message; empty for none. */
  readonly message?: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** For errors without a screen. */
  readonly stderr: NodeJS.WriteStream;
  /** The program that edits a message, with its arguments. */
  readonly editor: string;
  /** How the person is notified; needs a screen. */
  readonly notify: Notify;
  /** The environment of the command that notifies. */
  readonly environment: Readonly<Record<string, string>>;
  /** False: no colours or styles. */
  readonly isColoured: boolean;
  readonly theme: Theme;
  /** True: the prompt has the keys of vi. */
  readonly vim: boolean;
  /** The number of bits of a colour: 4, 8 or 24. Default: 4. */
  readonly colourDepth?: number;
  /** False without a terminal that can move its cursor: the REPL prints plain lines. */
  readonly isScreen: boolean;
}
