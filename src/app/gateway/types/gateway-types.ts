import type { AskClient } from "./public-types.ts";
import type * as protocol from "@modelcontextprotocol/server";
import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { Progress, Provided } from "../../../core/context.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { ServerLog } from "../../../sources/mcp/types/client-keys.ts";
import type { Asking } from "../../../sources/mcp/types/source-types.ts";

/** The package of the MCP SDK, loaded when it is first needed. */
export type Sdk = typeof protocol;

/** The lists whose changes a client is notified of. */
export type ListName = "tools" | "resources" | "prompts";

/** Receives notifications that a client did not request. */
export interface ClientListener {
  changed(list: ListName): void;
  /** `logger` is the upstream server that sends the message; default: the gateway. */
  log(level: LoggingLevel, message: Json, logger?: string): void;
}

/** One call as a client makes it. */
export interface ClientCall extends Pick<Channel, "controller" | "ask" | "traceparent"> {
  readonly name: string;
  readonly input: unknown;
  /** The name that the client gives. */
  readonly client?: string | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called when the call begins to wait for approval; the returned function is called when it goes on. */
  readonly onWaiting?: (() => () => void) | undefined;
  /** Added to the context that every call has. */
  readonly context?: readonly Provided[] | undefined;
}

/** A result of the engine. */
export interface ClientAnswer {
  readonly result: ToolResult;
  /** Lets the client read the full text of a cut answer and returns its link; undefined if nothing was stored. */
  readonly link: () => JsonObject | undefined;
}

/** The form in which a client gets tools and results. */
export interface ClientFace {
  /** False: it does not know resource links, which become text. */
  readonly hasLinks: boolean;
  /** Default: `given`. */
  readonly structuredContent?: "given" | "always" | "never" | undefined;
  /** Answers of upstream servers with more text than this are cut; default: as they came. */
  readonly maxResultBytes?: number | undefined;
  /** `queue`: its approvals come to `toolwright approve` only; default: as a form too. */
  readonly approvals?: "form" | "queue" | undefined;
}

/** The way back to the client of one request. */
export interface Channel {
  /** Cancels the call; aborted when the client cancels the request, or its session closes. */
  readonly controller: AbortController;
  /** Undefined: the client cannot ask its user. */
  readonly ask?: AskClient | undefined;
  /** Undefined: the client did not request progress. */
  readonly progress?: ((progress: McpProgress) => void) | undefined;
  /** `logger` is the upstream server that sends the message; default: the tool. */
  readonly log: (level: LoggingLevel, message: Json, logger?: string) => void;
  /** Undefined: the client does not support sampling. */
  readonly sample?: ((request: JsonObject, signal: AbortSignal) => Promise<JsonObject>) | undefined;
  /** Ends the stream of the request, which its client can resume; undefined: it cannot. */
  readonly endStream?: (() => void) | undefined;
  /** The lowest level that is logged. */
  readonly level: LogLevel;
  /** The span of the client, in the form of W3C, if it sent one. */
  readonly traceparent?: unknown;
}

/** A log level that the client may change while calls run. */
export interface LogLevel {
  readonly current: LoggingLevel;
}

/** Progress in the form of MCP: a number that only grows, and a text for people. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The answer to a request: a result, or an error of the protocol. */
export type CallOutcome = { readonly result: JsonObject } | { readonly error: ProtocolFault };

export interface ProtocolFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** A resource by its server and the address that it has there. */
export interface ResourcePlace {
  readonly server: string;
  readonly uri: string;
}

/** Refuses what policy denies a client, before the upstream server receives the request. */
export interface AccessCheck {
  /** Throws a `ToolError` if the prompt, by its name here, is denied. */
  checkPrompt(server: string, name: string): void;
  /** Rejects with a `ToolError` if reading the resource is denied. */
  checkResource(place: ResourcePlace): Promise<void>;
}

/** Who gets a prompt. */
export interface PromptReader {
  readonly signal: AbortSignal;
  /** Through it the server asks for what the prompt needs; undefined: its questions are declined. */
  readonly asking?: Asking | undefined;
}

/** The approved instructions of a server, and the names of its tools here. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
  readonly tools: readonly string[];
}

/** What upstream MCP servers offer besides tools. Everything is in the protocol's own form and passed on unchanged. */
export interface UpstreamMcp {
  /** Lists prompts under names that are unique here, `server__prompt`. */
  prompts(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Undefined if no server has the prompt. */
  getPrompt(
    name: string,
    values: Readonly<Record<string, string>>,
    access: AccessCheck,
    reader: PromptReader,
  ): Promise<JsonObject | undefined>;
  /** Lists resources under their own addresses; if two servers use the same one, the second is `mcp:SERVER/ADDRESS`. */
  resources(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Lists resource templates. */
  templates(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** Finds the server of a resource; undefined if no server, or more than one, could have it. */
  locate(uri: string, signal: AbortSignal): Promise<ResourcePlace | undefined>;
  /** Completes an argument; undefined if the server offers no completions. */
  complete(request: JsonObject, access: AccessCheck, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Calls `updated` when the resource changes, until the returned function is called; undefined if its server does not support that. */
  subscribe(
    uri: string,
    updated: () => void,
    access: AccessCheck,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined>;
  /** Calls `changed` when a list has changed, until the returned function is called. */
  watch(changed: (list: "prompts" | "resources") => void): () => void;
  /** Calls `logged` for each log message of a server that is at no call, until the returned function is called. */
  watchLogs?(logged: (server: string, log: ServerLog) => void): () => void;
  /** Returns the approved instructions of each server that has some. */
  instructions?(): readonly Omit<ServerInstructions, "tools">[];
  /** Asks the servers for messages of this level too. */
  setLevel?(level: LoggingLevel): void;
  close(): void;
}
