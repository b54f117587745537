import type { Rule } from "../../../core/rule.ts";
import { RIGHTS } from "../../config/access/http-tokens.ts";
import type { SourceProblem } from "../../../core/source.ts";
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
import { FactShape, FaultShape, Mode, Risk, RuleShape, TouchedShape, VerdictShape } from "./call-shapes.ts";
import { PAGE_NAMES } from "./page-names.ts";
import { anyObject, at, typed } from "./typed.ts";

const SourceState = oneOf(["not_started", "in_progress", "complete", "failed"]);

export const State = object({
  version: string(),
  startedAt: number(at),
  pages: list(
    oneOf(PAGE_NAMES),
    "those of the console that have something to show to the sender of the request",
  ),
  workspace: list(string(), "the folders; the first is the one that serves; a program has none"),
  session: string("the session of calls that name none"),
  mode: nullable(Mode, "null: only the program knows it"),
  rights: list(oneOf(RIGHTS), "what the sender of the request may do"),
  person: nullable(string("the person who sent the request; null for a token of the server")),
  model: nullable(string("provider/name; null if none is set")),
  sandbox: string("the sandbox in use: bubblewrap, seatbelt, srt, podman, docker, process or none"),
  tools: integer("active tools"),
  openCalls: integer("calls that run now, in every process"),
  approvals: integer("calls that wait for approval"),
  sourceState: SourceState,
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
  state: SourceState,
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

export const Traffic = object({
  messages: list(
    object({
      number: integer("from 1, for each server"),
      at: number(at),
      direction: oneOf(["sent", "received"]),
      kind: oneOf(["request", "answer", "error", "notification"]),
      id: nullable(string("of a request and its answer")),
      method: nullable(string("of an answer, that of its request")),
      tookMs: nullable(number("of an answer: since its request")),
      bytes: integer("of the whole message"),
      text: string("JSON, with secrets masked, at most 16 384 characters"),
    }),
    "the last 200 since the server started, oldest first",
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
