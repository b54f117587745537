import type { ResourceLink } from "../core/content.ts";
import type { JsonObject } from "../core/json.ts";

// Type aliases, not interfaces: they stay assignable to `JsonObject`. Lists are mutable, as the SDKs declare theirs.

/** The schema of an object, as SDKs type it; it may have further keywords. */
export type ObjectSchema = {
  readonly type: "object";
  readonly properties?: JsonObject;
  readonly required?: string[];
};

export type OpenAiFunction = {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
};

/** A schema for Gemini. The SDK types `type` as an enum of its own, which no value of another package fits, so it is not declared here. */
export type GoogleSchema = {
  readonly description?: string;
  readonly properties?: Record<string, GoogleSchema>;
  readonly required?: string[];
};

/** A tool in each provider's format. The official SDKs accept these types without a cast. */
export type ProviderTools = {
  /** A tool of Chat Completions. */
  readonly openai: {
    readonly type: "function";
    readonly function: OpenAiFunction & { readonly strict?: boolean };
  };
  /** A tool of the Responses API. */
  readonly "openai-responses": { readonly type: "function"; readonly strict: boolean } & OpenAiFunction;
  /** A tool of the Messages API. */
  readonly anthropic: {
    readonly name: string;
    readonly description?: string;
    readonly input_schema: ObjectSchema;
  };
  /** A function declaration of the Gemini API. */
  readonly google: {
    readonly name: string;
    readonly description: string;
    readonly parameters?: GoogleSchema;
  };
  /** A tool of `tools/list`. */
  readonly mcp: {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: ObjectSchema;
    readonly outputSchema?: ObjectSchema;
    readonly annotations: {
      readonly readOnlyHint: boolean;
      readonly destructiveHint?: boolean;
      readonly idempotentHint?: boolean;
    };
  };
};

export type TextPart = { readonly type: "text"; readonly text: string };

export type OpenAiPart =
  | TextPart
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | {
      readonly type: "input_audio";
      readonly input_audio: { readonly data: string; readonly format: "wav" | "mp3" };
    }
  | { readonly type: "file"; readonly file: { readonly filename: string; readonly file_data: string } };

export type OpenAiOutputPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string }
  | { readonly type: "input_file"; readonly filename: string; readonly file_data: string };

export type AnthropicBlock =
  | TextPart
  | {
      readonly type: "image";
      readonly source: {
        readonly type: "base64";
        readonly media_type: AnthropicImage;
        readonly data: string;
      };
    }
  | {
      readonly type: "document";
      readonly source:
        | { readonly type: "base64"; readonly media_type: "application/pdf"; readonly data: string }
        | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string };
      readonly title?: string;
    };

export type AnthropicImage = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export type AnthropicResult = {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: AnthropicBlock[];
  readonly is_error?: boolean;
};

export type GooglePart =
  | {
      readonly functionResponse: {
        readonly id?: string;
        readonly name: string;
        readonly response: { readonly output: string } | { readonly error: string };
      };
    }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } };

export type McpContent =
  | TextPart
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | ({ readonly type: "resource_link" } & ResourceLink)
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** A message with answers in each provider's format. The official SDKs accept these types without a cast. */
export type ProviderMessages = {
  /** A tool message, then a user message for the images and files that tool messages cannot have. */
  readonly openai:
    | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
    | { readonly role: "user"; readonly content: OpenAiPart[] };
  /** An item of the input. */
  readonly "openai-responses": {
    readonly type: "function_call_output";
    readonly call_id: string;
    readonly output: string | OpenAiOutputPart[];
  };
  /** One user message with all results. */
  readonly anthropic: { readonly role: "user"; readonly content: AnthropicResult[] };
  /** One content with all function responses. */
  readonly google: { readonly role: "user"; readonly parts: GooglePart[] };
  /** The result of `tools/call`. */
  readonly mcp: {
    readonly content: McpContent[];
    readonly structuredContent?: JsonObject;
    readonly isError?: boolean;
  };
};

/** The formats of the providers' APIs. */
export type ProviderFormat = keyof ProviderTools;

/** The `tools` field of a request; absent if there are no tools. */
export type ToolsField<F extends ProviderFormat> = F extends "google"
  ? { readonly tools?: [{ readonly functionDeclarations: ProviderTools[F][] }] }
  : { readonly tools?: ProviderTools[F][] };

export interface OpenAiCall {
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name: string; readonly arguments: unknown };
}

export interface OpenAiMessage {
  readonly tool_calls?: readonly OpenAiCall[] | null;
}

export interface ResponsesItem {
  readonly type?: string;
  readonly call_id?: string | null;
  readonly name?: string | null;
  readonly arguments?: unknown;
}

export interface AnthropicPart {
  readonly type: string;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly input?: unknown;
}

export interface GoogleContent {
  readonly parts?: readonly { readonly functionCall?: GoogleCall }[];
}

export interface GoogleCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** The part of a model's message, in each provider's format, that has its calls. */
export interface MessagesWithCalls {
  /** A whole response, or the message of one choice. */
  readonly openai: OpenAiMessage | { readonly choices: readonly { readonly message: OpenAiMessage }[] };
  /** A response. */
  readonly "openai-responses": { readonly output: readonly ResponsesItem[] };
  /** A response, or an assistant message. */
  readonly anthropic: { readonly content: readonly AnthropicPart[] };
  /** A whole response, or the content of one candidate. */
  readonly google: GoogleContent | { readonly candidates?: readonly { readonly content?: GoogleContent }[] };
  /** A `tools/call` request. */
  readonly mcp: {
    readonly params: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> };
  };
}
