import type { Content } from "../../../core/content.ts";
import { createKey, type Key, type ToolContext } from "../../../core/context.ts";
import type { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolSource } from "../../../core/source.ts";
import type { Collection } from "../../../core/store/collection.ts";
import type { Roster } from "../../../system/process/roster.ts";
import type { Backoff } from "../transport/backoff.ts";
import type { McpServer } from "../transport/server.ts";
import type { ServerLog } from "./client-keys.ts";

/** The origin of a sampling request. */
export interface SampleAsker {
  /** The name of the server. */
  readonly server: string;
  /** That of the running call of the server, if any: its approver may be asked. At a prompt it has no `call`. */
  readonly context: (Pick<ToolContext, "ask" | "find"> & Partial<Pick<ToolContext, "call">>) | undefined;
}

/** How a server reaches the user for whom it is at work. */
export type Asking = NonNullable<SampleAsker["context"]>;

/**
 * Calls a model on behalf of a server, with the request and result of the protocol. The server receives what it throws. The signal is
 * aborted when the server cancels the request.
 */
export type Sample = (request: JsonObject, signal: AbortSignal, asker: SampleAsker) => Promise<JsonObject>;

/** The parts of a listed tool that are shown or used. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  /** The schema of the structured content of its answers; absent if the server lists none. */
  readonly output?: JsonObject;
  /** The hints of the server about the tool, such as `readOnlyHint`. */
  readonly annotations?: JsonObject;
  /** Its title, icons and `_meta`, for MCP clients; no part of what is approved. */
  readonly extra?: JsonObject;
  /** The server runs the tool only as a task. */
  readonly needsTask?: true;
}

/** A definition and the hash of its content. */
export interface HashedDefinition {
  /** As the server listed it. */
  readonly definition: Definition;
  readonly hash: string;
}

/** A tool that differs from its approved definition, or was added. */
export interface PinChange {
  readonly tool: string;
  /** The definition now. */
  readonly seen: HashedDefinition;
  /** False for a tool that was added. */
  readonly wasPinned: boolean;
  /** Every change, one per line: path, old value, new value. Nothing that would be approved is omitted. */
  readonly lines: readonly string[];
}

/** An initialized connection to a server. */
export interface McpConnection {
  /** The `Client` of the MCP SDK, for requests that this package has no function for. */
  readonly client: object;
  /** Resolves with the reason when the connection is closed; never rejects. */
  readonly closed: Promise<ToolError>;
  /** Returns the end of the standard error output of the server. */
  stderrTail(): string;
  /** Converts what a request threw to a `ToolError`. */
  readonly fault: (error: unknown) => ToolError;
  close(): Promise<void>;
}

/** How a server is reached, and what it may ask for. */
export interface SessionOptions {
  /** The name of the server; its tools are named `name__tool`. */
  readonly name: string;
  /** Its command, or its URL. */
  readonly server: McpServer;
  /** Folders sent to the server as roots. */
  readonly roots?: readonly string[];
  /** Set for a server that a project folder configures: it is neither started nor called before the user trusts it. */
  readonly project?: { readonly folder: string; readonly isTrusted: () => boolean };
  /** Time limit from the start of the server to its first answer; default: 30 s. */
  readonly connectTimeoutMs?: number;
  /** Default: sampling requests are declined. */
  readonly sample?: Sample;
  /** Where logins are stored; default: no logins. */
  readonly logins?: Collection;
  /** Called with each value of a login to mask, before it is used. An engine that the source is added to learns all secrets by itself. */
  readonly onSecret?: (secret: string) => void;
  /** Masks secrets in the error output of a server; default: no masking. */
  readonly mask?: (text: string) => string;
  /** Time limit of one request to an authorization server; default: 15 s. */
  readonly authorizationTimeoutMs?: number;
  /** Where the server process is registered. Share one among all servers: each listens for the end of this process. */
  readonly roster?: Roster;
  /** Default: 1 s to 60 s. */
  readonly backoff?: Backoff;
  /** A longer message ends the connection, and a longer list of tools is refused; default: 32 MB. */
  readonly maxMessageBytes?: number;
}

/** A message of the protocol between this program and a server. */
export interface McpMessage {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Seen from this program. */
  readonly direction: "sent" | "received";
  /** Of a request, and of its answer. */
  readonly id?: string;
  /** Absent from answers. */
  readonly method?: string;
  /** It is the refusal of a request. */
  readonly isError: boolean;
  /** Of the whole message. */
  readonly bytes: number;
  /** As JSON, with secrets masked and the end cut off after 16 384 characters. */
  readonly text: string;
}

/** The lists of a server other than its tools. */
export type OtherList = "prompts" | "resources";

/** How the tools of a server become tools of an engine. */
export interface McpSourceOptions extends SessionOptions {
  /** Where the approved definitions are stored; default: in memory. */
  readonly pins?: Collection;
  /** True: changed and added tools are approved without the user. Default: false. */
  readonly acceptsChanges?: boolean;
  /** Default: the annotations of the server may raise the risk of a tool, but never lower it. */
  readonly trustsAnnotations?: boolean;
  /** The deadline of a call; default: the engine's. */
  readonly timeoutMs?: number;
  /** MCP clients get answers with more text than this cut; default: as they came. */
  readonly maxResultBytes?: number;
  /** `lazy` offers the stored definitions and starts the server at the first call; default: `eager`. */
  readonly startup?: "eager" | "lazy";
}

/** An MCP server as a source of tools, resources and prompts. */
export interface McpSource extends ToolSource {
  /** The name of the server. */
  readonly server: string;
  /** Returns the connection, or opens one. Rejects with a `ToolError`, at once while the server is in backoff. */
  connection(signal: AbortSignal): Promise<McpConnection>;
  /** Returns the open connection, if any; opens none. */
  current(): McpConnection | undefined;
  /** Returns its approved instructions, as they were loaded last; empty if there are none. */
  instructions(): string;
  /** Calls back when the prompts or resources of the server may have changed, and after each new connection. */
  watchLists(changed: (what: OtherList) => void): () => void;
  /** Calls back for each log message that the server sends while it is at no call of a gateway. */
  watchLogs(logged: (log: ServerLog) => void): () => void;
  /** Calls back for each message that is sent to the server and received from it; without a listener messages cost nothing. */
  watchMessages(seen: (message: McpMessage) => void): () => void;
  /** Returns the tools that differ from the approved definitions. */
  review(signal: AbortSignal): Promise<readonly PinChange[]>;
  /** Approves exactly these definitions, and none that the server lists later. */
  approve(changes: readonly PinChange[]): Promise<void>;
}

/** A resource, or a template whose URI has parameters. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  /** True if parameters in the URI must be filled in first. */
  readonly isTemplate: boolean;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A resource in the form of the protocol. */
export interface McpResourceResult {
  /** One or more parts, as the server sent them. */
  readonly contents: readonly McpResourceContents[];
}

/** One part of a resource: text, or bytes in base64. */
export type McpResourceContents = {
  readonly uri: string;
  readonly mimeType?: string | undefined;
} & ({ readonly text: string } | { readonly blob: string });

/** A prompt that a server offers its users. */
export interface McpPrompt {
  /** As the user types it: `/server:prompt`. */
  readonly name: string;
  readonly server: string;
  /** The name that the server gave it. */
  readonly prompt: string;
  readonly description: string;
  /** What can be filled in; empty if nothing can. */
  readonly arguments: readonly McpPromptArgument[];
}

/** A value that is filled into a prompt. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description: string;
  /** True if the prompt cannot be used without it. */
  readonly isRequired: boolean;
}

/** A message of a prompt, for the conversation. */
export interface McpPromptMessage {
  /** As whom the message is added. */
  readonly role: "user" | "assistant";
  /** One part of it; a prompt with several parts has several messages. */
  readonly content: Content;
}

/** The items found, and the servers that failed to list theirs. */
export interface Found<T> {
  /** Those of all servers that answered. */
  readonly items: readonly T[];
  /** The servers that did not, and why. */
  readonly unavailable: readonly { readonly server: string; readonly message: string }[];
}

/** The resources and prompts of all MCP servers of an engine. */
export interface McpServers {
  /** The names of the servers, in the order of `sources`. */
  readonly names: readonly string[];
  /** One for each server. */
  readonly sources: readonly McpSource[];
  /** Lists the resources of all servers, or of one; never rejects because of one server. */
  resources(server: string | undefined, signal: AbortSignal): Promise<Found<McpResource>>;
  /** Returns the content of a resource for a model; the server may ask through `context`. Rejects if the server does not have it. */
  readResource(
    server: string,
    uri: string,
    signal: AbortSignal,
    context?: SampleAsker["context"],
  ): Promise<readonly Content[]>;
  /** Reads a resource and returns it in the form of the protocol. */
  rawResource(
    server: string,
    uri: string,
    signal: AbortSignal,
    context?: SampleAsker["context"],
  ): Promise<McpResourceResult>;
  /** Lists the prompts of all servers; never rejects because of one server. */
  prompts(signal: AbortSignal): Promise<Found<McpPrompt>>;
  /** Returns the prompt of that name, from its own server only. Rejects with the names of its prompts if there is none. */
  findPrompt(name: string, signal: AbortSignal): Promise<McpPrompt>;
  /** Returns the messages of a prompt, by the name that `prompts` returned. */
  prompt(
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly McpPromptMessage[]>;
}

/** The MCP servers of the host program. Provided by the command line, the REPL and the gateway if there are any. */
export const McpServersKey: Key<McpServers> = createKey("McpServers");
