import type { AnthropicProvider } from "@ai-sdk/anthropic";

/** The part of an AI SDK model that is used here. All provider packages share its types, so they are taken from one of them. */
export type SdkModel = Pick<ReturnType<AnthropicProvider["languageModel"]>, "doStream">;

/** The request to such a model. */
export type SdkRequest = Parameters<SdkModel["doStream"]>[0];

export type SdkMessage = SdkRequest["prompt"][number];

type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];

/** One event of its answer. */
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;

export type SdkUsage = Extract<SdkPart, { readonly type: "finish" }>["usage"];
