import type { Fault } from "../../../core/result.ts";
import type { Caller } from "../../host/people/caller.ts";
import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type InferGiven,
} from "../../../schema/define/schema.ts";
import * as approvals from "./approval-shapes.ts";
import * as calls from "./call-shapes.ts";
import { EventShape } from "./events.ts";
import { CHAT_ROUTES } from "./chat-routes.ts";
import * as figures from "./figure-shapes.ts";
import { Fleet } from "./fleet-shape.ts";
import * as host from "./host-shapes.ts";
import { Ok, operation, type Route } from "./route.ts";
import * as sessions from "./session-shapes.ts";
import * as tools from "./tool-shapes.ts";
import { anyObject } from "./typed.ts";

const [get, post, put, remove] = [operation("GET"), operation("POST"), operation("PUT"), operation("DELETE")];

/** Every token. */
const ANY = ["read", "own", "call", "approve", "admin"] as const;
/** Reading what everyone did; with `own`, only what the caller did. */
const READ = ["read", "own"] as const;

const OF_CALL = optional(
  string("the id of the call whose answer it is; required of people who may read only their own calls"),
);

/** Every operation under /api. */
export const ROUTES = {
  state: get("/api/state", "the server, its workspace and what it runs", { rights: ANY, answer: host.State }),
  events: get("/api/events", "events as they happen, as server-sent events; Last-Event-ID resumes", {
    rights: READ,
    query: object({
      session: optional(string("only events of this session and its calls")),
      callId: optional(string("only events of this call")),
      after: optional(string("the id of the last event that was read, like Last-Event-ID")),
    }),
    answer: EventShape,
    type: "text/event-stream",
  }),

  calls: get("/api/calls", "recorded calls of this folder, newest first, page by page", {
    rights: READ,
    query: calls.CallQuery,
    answer: calls.CallPage,
  }),
  call: get("/api/calls/{callId}", "everything that is known about a call", {
    rights: ["read", "own", "call"],
    query: object({
      at: optional(number("its receivedAt, which tells calls with one id apart; default: the newest")),
    }),
    answer: calls.CallDetail,
  }),
  run: post(
    "/api/calls",
    "run a tool through the whole pipeline; the status is that of the error, if it fails",
    {
      rights: ["call"],
      body: calls.NewCall,
      answer: oneOf([calls.ResultShape, calls.StartedCall]),
      answers: { done: calls.ResultShape, accepted: calls.StartedCall },
      refusals: [422],
    },
  ),
  cancelCall: post("/api/calls/{callId}/cancel", "cancel a call of this process", {
    rights: ["call"],
    answer: calls.Cancelled,
  }),
  counts: get("/api/counts", "rate, failures and latency over time, for charts", {
    rights: ["read"],
    query: figures.CountsQuery,
    answer: figures.Counts,
  }),
  trace: get("/api/trace", "export recorded calls", {
    rights: READ,
    query: calls.TraceQuery,
    answer: anyObject("one JSON object a line, OTLP JSON or a page"),
  }),

  artifact: get("/api/artifacts/{id}", "a part of a stored long answer", {
    rights: ["read", "own", "call"],
    query: object({
      start: optional(integer("byte offset", { min: 0 }), 0),
      length: optional(integer("bytes", { min: 1, max: 1_048_576 }), 65_536),
      call: OF_CALL,
    }),
    answer: sessions.ArtifactSlice,
  }),
  searchArtifact: get("/api/artifacts/{id}/search", "the lines of a stored answer that match", {
    rights: ["read", "own", "call"],
    query: object({
      text: string("text, or with isPattern a regular expression", { min: 1, max: 500 }),
      isPattern: optional(boolean(), false),
      limit: optional(integer("lines", { min: 1, max: 1000 }), 200),
      call: OF_CALL,
    }),
    answer: sessions.ArtifactMatches,
  }),

  approvals: get(
    "/api/approvals",
    "calls of every process of this store that wait for approval, oldest first",
    { rights: READ, answer: object({ approvals: list(approvals.PendingApproval) }) },
  ),
  decide: post("/api/approvals/{id}", "approve or deny; 409 if it was answered elsewhere", {
    rights: ["approve"],
    body: approvals.Decision,
    answer: approvals.Decided,
    refusals: [409],
  }),
  grants: get("/api/grants", "saved approvals of this folder and its session", {
    rights: ["read"],
    answer: object({ grants: list(approvals.GrantShape) }),
  }),
  revokeGrant: remove("/api/grants/{id}", "revoke a saved approval", { rights: ["approve"], answer: Ok }),

  tools: get("/api/tools", "the tools", {
    rights: ["read", "call"],
    query: object({
      text: optional(string("only tools whose name or description has these words", { max: 500 })),
      all: optional(boolean("inactive tools too"), true),
    }),
    answer: object({ tools: list(tools.ToolRow) }),
  }),
  tool: get("/api/tools/{name}", "one tool and its schemas", {
    rights: ["read", "call"],
    answer: tools.ToolDetail,
  }),

  sources: get("/api/sources", "where tools come from, with health and problems", {
    rights: ["read"],
    answer: object({ sources: list(host.Source) }),
  }),
  refreshSource: post("/api/sources/{name}/refresh", "load a source again", {
    rights: ["admin"],
    answer: host.Refreshed,
  }),
  pins: get("/api/sources/{name}/pins", "how the tools of an MCP server differ from the approved ones", {
    rights: ["read"],
    answer: host.PinChanges,
  }),
  approvePins: post(
    "/api/sources/{name}/pins",
    "approve exactly these changes; 409 if one has changed again",
    { rights: ["approve"], body: host.PinApproval, answer: host.Approved, refusals: [409] },
  ),

  traffic: get("/api/sources/{name}/traffic", "the last messages to and from an MCP server", {
    rights: ["admin"],
    answer: host.Traffic,
  }),

  policy: get("/api/policy", "the rules in force and the approval mode", {
    rights: ["read"],
    answer: host.PolicyState,
  }),
  setMode: put("/api/policy/mode", "change the approval mode of this server until it ends", {
    rights: ["admin"],
    body: host.ModeChange,
    answer: host.ModeChange,
  }),
  explain: post("/api/policy/explain", "what policy would decide about a call, and why; nothing runs", {
    rights: ["read", "call"],
    body: host.ExplainRequest,
    answer: host.Explanation,
  }),
  allow: post(
    "/api/policy/rules",
    "save the narrowest rule that allows this call, in this workspace, from now on",
    { rights: ["admin"], body: host.ExplainRequest, answer: host.RuleSaved },
  ),

  sandbox: get("/api/sandbox", "the sandbox in use, the kinds that work here, and changes in its copy", {
    rights: ["read"],
    answer: host.SandboxState,
  }),
  fleet: get("/api/fleet", "the workers, queues and dead letters of the fleet", {
    rights: ["read"],
    answer: Fleet,
  }),
  drainWorker: post("/api/fleet/workers/{id}/drain", "let a worker finish its calls and end", {
    rights: ["admin"],
    answer: Ok,
  }),
  retryDead: post(
    "/api/fleet/dead/{key}/retry",
    "run a dead letter again; the status is that of the error, if it fails",
    { rights: ["admin"], answer: calls.ResultShape, refusals: [422] },
  ),

  removeDead: remove("/api/fleet/dead/{key}", "remove a dead letter without running its call", {
    rights: ["admin"],
    answer: Ok,
  }),

  ...CHAT_ROUTES,
} as const satisfies Readonly<Record<string, Route>>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;
/** The answer of an operation. */
export type AnswerOf<N extends RouteName> = Infer<Routes[N]["answer"]>;
/** The body of an operation, as a client writes it: fields with defaults may be absent. */
export type BodyOf<N extends RouteName> = Routes[N] extends { readonly body: infer B }
  ? InferGiven<B>
  : undefined;
export type QueryOf<N extends RouteName> = Routes[N] extends { readonly query: infer Q }
  ? InferGiven<Q>
  : undefined;
/** The parameters in the path of an operation, by name. */
export type ParamsOf<N extends RouteName> = { readonly [P in NamesIn<Routes[N]["path"]>]: string };
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The body of every answer with a status of 400 or more, except those of `run`. `details.problems` names the fields. */
export interface ApiError {
  readonly error: Omit<Fault, "code"> & { readonly code: string };
}

export type { ApiEvent, ServerEvent } from "./events.ts";
export type { Route } from "./route.ts";

/** A validated request of an operation. */
export interface Given<N extends RouteName> {
  readonly params: ParamsOf<N>;
  readonly query: Routes[N] extends { readonly query: infer Q } ? Infer<Q> : undefined;
  readonly body: Routes[N] extends { readonly body: infer B } ? Infer<B> : undefined;
  readonly request: Request;
  readonly caller: Caller;
}

/** Answers with a value, or with a response if it is not JSON or has another status. Throws a `ToolError`. */
export type Handler<N extends RouteName> = (
  given: Given<N>,
) => AnswerOf<N> | Response | Promise<AnswerOf<N> | Response>;

/** The operations of the API. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };
