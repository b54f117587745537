import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import type { Provided } from "../../../core/context.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { CallOutcome, Channel, ClientAnswer, Sdk } from "../types/gateway-types.ts";
import type { AskClient, ServerInfo } from "../types/public-types.ts";

/** The dependencies of a protocol server. Each is resolved when a request arrives, so that a handshake waits for nothing. */
export interface ServerPorts {
  readonly sdk: Sdk;
  readonly info: ServerInfo;
  /** Returns the instructions for the client. */
  readonly instructions: () => string;
  readonly gateway: () => Promise<Gateway>;
  /** The limits of the client. */
  readonly ceilings: readonly Ceiling[];
  /** Returns the session that a request belongs to. */
  readonly session: (context: ServerContext) => Promise<ClientSession>;
  /** For the revision in which a server cannot ask its client during a request. */
  readonly resumable: ResumableCalls<CallOutcome>;
  /** The lowest level of log messages that is sent. */
  readonly level: { current: LoggingLevel };
  /** Returns the call that was started for a request before this server received it; `endStream` ends the request's stream. */
  readonly started?: (id: unknown, endStream: Channel["endStream"]) => StartedCall | undefined;
}

/** A call that was started before the SDK's server received its request. */
export interface StartedCall {
  readonly outcome: Promise<CallOutcome>;
  readonly controller: AbortController;
}

/** A client's request that runs a tool. */
export interface CallRequest {
  readonly session: ClientSession;
  readonly name: string;
  readonly input: Json;
  readonly context?: readonly Provided[];
  /** True: approvals come to the queue only; default: the client is asked too. */
  readonly isQueued?: boolean;
  /** The name that the client gives. */
  readonly client?: string | undefined;
  readonly toOutcome: (answer: ClientAnswer) => CallOutcome;
}

/** A request during which the client may be asked. */
export interface AskingRequest extends Pick<CallRequest, "session" | "name" | "input"> {
  /** Never rejects. */
  readonly run: (channel: Channel) => Promise<CallOutcome>;
}

/** Serves a request that came through the SDK's server: returns its result, or throws an error of the protocol. */
export type ServeRequest = (context: ServerContext, request: AskingRequest) => Promise<never>;

/** A text and a form in MCP's flat JSON Schema. */
export interface ApprovalForm {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/** A client's answer to a form, not yet validated. */
export interface FormAnswer {
  readonly action?: unknown;
  readonly content?: unknown;
}

/** Calls that wait for answers of clients that cannot be asked during a request. */
export interface ResumableCalls<T> {
  start(turn: CallTurn, run: (channel: ResumableChannel) => Promise<T>): Promise<CallStep<T>>;
  /** Returns undefined if the state is unknown, was used before or belongs to another call; without an answer the question is asked again. */
  resume(turn: CallTurn, state: string, answer: ClientReply | undefined): Promise<CallStep<T>> | undefined;
  /** Cancels every call that waits for its client. */
  close(): void;
}

/** How far a call is: finished, or at a question whose answer comes with the next request. */
export type CallStep<T> = { readonly outcome: T } | (ClientQuestion & { readonly state: string });

/** A form for the user of a client, or a request to its model. */
export type ClientQuestion = { readonly form: ApprovalForm } | { readonly sample: JsonObject };

/** The answer to a form, or that of the client's model. */
export type ClientReply = FormAnswer | { readonly sampled: JsonObject };

/** One request of a call: the first, or one that brings an answer. */
export interface CallTurn {
  /** Aborted when the client cancels this request. */
  readonly signal: AbortSignal;
  /** Receives the call's reports while this request is open. */
  readonly channel: Pick<Channel, "progress" | "log" | "level">;
  /** The same for every request of one call, and different for every other call. */
  readonly fingerprint: string;
}

/** Outlives the requests of its call: reports go to the one that is open. */
export type ResumableChannel = Channel & {
  readonly ask: AskClient;
  readonly sample: NonNullable<Channel["sample"]>;
};
