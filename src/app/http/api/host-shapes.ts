import type { Rule } from "../../../core/rule.ts";
import { RIGHTS } from "../../config/http-tokens.ts";
import type { SourceProblem } from "../../../core/source.ts";
import type { SessionInfo, Entry } from "../../../agent/sessions/transcript.ts";
import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { ChoiceShape } from "./approval-shapes.ts";
import {
  CallRow,
  FactShape,
  FaultShape,
  Mode,
  Risk,
  RuleShape,
  TouchedShape,
  VerdictShape,
} from "./call-shapes.ts";
import { PAGE_NAMES } from "./page-names.ts";
import { anyObject, typed } from "./typed.ts";

const at = "milliseconds since 1970";

export const State = object({
  version: string(),
  startedAt: number(at),
  pages: list(oneOf(PAGE_NAMES), "those of the console that have something to show"),
  workspace: list(string(), "the folders; the first is the one that serves; a program has none"),
  session: string("the session of calls that name none"),
  mode: nullable(Mode, "null: only the program knows it"),
  rights: list(oneOf(RIGHTS), "what this token may do"),
  model: nullable(string("provider/name; null if none is set")),
  sandbox: string("the sandbox in use: bubblewrap, seatbelt, srt, podman, docker, process or none"),
  tools: integer("active tools"),
  openCalls: integer("calls that run now, in every process"),
  approvals: integer("calls that wait for approval"),
  sourceState: oneOf(["not_started", "in_progress", "complete", "failed"]),
  warnings: list(string()),
});

const Problem = typed<SourceProblem>("a part of a source that cannot be used, and why", {
  source: string(),
  subject: string(),
  reason: string(),
  message: string(),
  hint: optional(string()),
});

export const Source = object({
  name: string("as in the tools' `source`"),
  kind: oneOf(["built-in", "mcp", "api", "external", "extension", "other"]),
  state: oneOf(["not_started", "in_progress", "complete", "failed"]),
  tools: list(string()),
  problems: list(Problem),
  server: nullable(
    object({
      name: string(),
      isConnected: boolean(),
      target: string("its program or address, without secrets"),
      isProject: boolean("from the project's config"),
      isTrusted: boolean(),
      unapproved: integer("tools that were added or changed and are not approved"),
    }),
    "set for MCP servers",
  ),
});
export type Source = Infer<typeof Source>;

export const PinChanges = object({
  changes: list(
    object({
      tool: string("(instructions) for the instructions of the server"),
      wasPinned: boolean("false: the tool is new"),
      lines: list(string(), "every change, one per line: path, old value, new value"),
      hash: string("of the new definition; pass it back to approve exactly this"),
    }),
  ),
});
export const PinApproval = object({
  changes: list(object({ tool: string(), hash: string() }), "those to approve", { min: 1 }),
});
export const Approved = object({ approved: list(string(), "the tools") });

export const Refreshed = object({
  state: oneOf(["complete", "failed"]),
  added: list(string()),
  changed: list(string()),
  removed: list(string()),
  failures: list(object({ source: string(), error: FaultShape })),
});

export const PolicyState = object({
  mode: Mode,
  layers: list(
    object({
      name: string("built-in, user, project …"),
      mode: nullable(Mode),
      rules: list(
        object({
          id: string(),
          rule: typed<Rule>("the rule"),
          text: string("its conditions as text"),
          isOff: boolean("an allow of an untrusted project"),
        }),
      ),
    }),
    "lowest first; of all rules that match, the strictest decides",
  ),
  problems: list(string(), "files that are refused"),
  notes: list(string(), "rules that never decide a call"),
});

export const ModeChange = object({ mode: Mode });

export const ExplainRequest = object({
  name: optional(string("the tool; default: shell")),
  input: optional(anyObject("of the call")),
  command: optional(string("a command, in place of name and input")),
  session: optional(string()),
  mode: optional(Mode),
});
export const Explanation = object({
  name: string(),
  verdict: nullable(VerdictShape),
  facts: list(FactShape),
  touches: list(TouchedShape, "the facts as text"),
  choices: list(ChoiceShape, "the answers that a person has if the call needs approval"),
  onlyOnce: nullable(string("why it can be allowed only once")),
  risk: nullable(Risk),
  fault: nullable(FaultShape, "what would stop the call before policy judges it"),
});
export const RuleSaved = object({
  grantId: string("DELETE /api/grants/{id} revokes it"),
  rule: RuleShape,
  text: string("the rule as text"),
});

export const SandboxState = object({
  wanted: string("the setting"),
  used: string("the kind in use, or none"),
  kinds: list(
    object({ kind: string(), works: boolean(), reason: nullable(string()), hint: nullable(string()) }),
  ),
  network: boolean(),
  domains: list(string()),
  workspace: string("direct or copy"),
  changes: list(
    object({ path: string(), what: string(), conflict: nullable(string()) }),
    "in the copy of the workspace",
  ),
});

export const Fleet = object({
  isConfigured: boolean("false: the config names no servers, and the lists are empty"),
  servers: list(string()),
  namespace: string(),
  workers: list(
    object({
      id: string(),
      state: oneOf(["ready", "full", "draining"]),
      pool: string(),
      labels: list(string()),
      tools: list(string()),
      running: integer("calls that it runs now"),
      concurrency: integer("calls that it runs at the same time, at most"),
      release: string("of Toolwright"),
      host: string(),
      pid: integer(),
      startedAt: number(at),
    }),
    "those that are alive",
  ),
  lost: list(
    object({
      id: string(),
      host: string(),
      pid: integer(),
      pool: string(),
      running: integer("calls that it ran when it was last heard of"),
      lostAt: number(at),
    }),
    "those that went in the last ten minutes without having been drained, since the server looks",
  ),
  queues: list(
    object({
      pool: string(),
      lane: string("high, normal or low"),
      waiting: integer("calls that no worker has taken"),
      running: integer(),
      redelivered: integer("calls that run, or wait, again after their worker was lost"),
    }),
  ),
  dead: list(
    object({
      key: string(),
      tool: nullable(string()),
      callId: nullable(string("the call, as its message says")),
      session: nullable(string()),
      summary: string("the input in one line; empty for a long one"),
      mayHaveRun: boolean("the call may have had effects, and a retry may have them again"),
      reason: string(),
      at: number(at),
    }),
    "calls that no worker could finish, newest first, at most 100",
  ),
});

export const SessionShape = typed<SessionInfo>(
  "a stored session",
  {
    id: string(),
    title: string(),
    workspace: string(),
    model: string(),
    state: string(),
    turns: integer(),
    createdAt: number(at),
    updatedAt: number(at),
  },
  ["agent"],
);

const EntryShape = typed<Entry>("an entry: message, compaction, instructions, command, state or usage", {
  seq: integer(),
  at: number(at),
  kind: string(),
});

export const SessionDetail = object({
  session: SessionShape,
  entries: list(EntryShape),
  calls: list(CallRow, "its calls, newest first, at most 1000"),
  children: list(SessionShape, "sessions of the agents that it started"),
});

export const AgentNode = object({
  id: string(),
  name: string(),
  parentId: nullable(string()),
  session: string(),
  state: string(
    "idle, waiting_for_model, executing_tools, waiting_for_approval, waiting_for_message, done or failed",
  ),
  task: nullable(string()),
  result: nullable(string()),
  isHere: boolean("it is open in this process"),
});

export const ArtifactSlice = object({
  id: string(),
  text: string(),
  start: integer("byte offset"),
  end: integer(),
  size: integer("bytes of the whole"),
  dropped: integer("bytes that were dropped from the middle"),
});
export const ArtifactMatches = object({
  matches: list(object({ line: integer(), start: integer("byte offset of the line"), text: string() })),
});
