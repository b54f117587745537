import type { AnthropicProvider } from "@ai-sdk/anthropic";

/** A model as every provider package of the AI SDK gives it; the types are taken from one of them, since all share them. */
export type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;

/** What such a model is asked. */
export type SdkRequest = Parameters<SdkModel["doStream"]>[0];

export type SdkMessage = SdkRequest["prompt"][number];

type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];

/** What arrives of its answer. */
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;

export type SdkUsage = Extract<SdkPart, { readonly type: "finish" }>["usage"];

/** How hard a model shall think, where its provider lets us say it. */
export type Effort = Exclude<NonNullable<SdkRequest["reasoning"]>, "provider-default">;
