import { isDocument, isDocumentOrSound, isImage } from "./attachments.ts";
import { googleFetch } from "./google-wire.ts";
import { ollamaFetch } from "./ollama-wire.ts";
import type { Connection, Manner, Provider } from "./provider.ts";
import type { SdkModel } from "../answer/sdk.ts";
import { unsealingFetch } from "./sealed-schema.ts";

const CHAT: Manner = {
  shows: isDocumentOrSound,
  resultsShow: false,
  marksFailures: false,
  narrowIds: false,
  schemaBesideTools: false,
  settings: () => ({ openaiCompatible: { strictJsonSchema: false } }),
};

const anthropic: Provider = {
  format: "anthropic",
  keys: ["ANTHROPIC_API_KEY"],
  needsKey: true,
  addressKey: "ANTHROPIC_BASE_URL",
  address: "https://api.anthropic.com/v1",
  leaks: false,
  manner: {
    shows: isDocument,
    resultsShow: true,
    marksFailures: true,
    narrowIds: true,
    schemaBesideTools: true,
    marksCache: true,
    // Inputs are given whole, so that there is no use in having them unchecked but early.
    settings: () => ({ anthropic: { toolStreaming: false } }),
  },
  open: async (connection) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic(settingsOf(connection)).languageModel(connection.name);
  },
};

const OPENAI = {
  keys: ["OPENAI_API_KEY"],
  needsKey: true,
  addressKey: "OPENAI_BASE_URL",
  address: "https://api.openai.com/v1",
  leaks: false,
} as const;

const openai: Provider = {
  ...OPENAI,
  format: "openai-responses",
  manner: {
    shows: isDocument,
    resultsShow: true,
    marksFailures: false,
    narrowIds: true,
    schemaBesideTools: true,
    saysNotStrict: true,
    // What the provider does not keep, we send back: a conversation outlives what it stores.
    settings: () => ({ openai: { store: false, strictJsonSchema: false } }),
  },
  open: async (connection) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(settingsOf(connection)).responses(connection.name);
  },
};

const openaiChat: Provider = {
  ...OPENAI,
  format: "openai",
  manner: {
    ...CHAT,
    narrowIds: true,
    schemaBesideTools: true,
    settings: () => ({ openai: { strictJsonSchema: false } }),
  },
  open: async (connection) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(settingsOf(connection)).chat(connection.name);
  },
};

const google: Provider = {
  format: "google",
  keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
  needsKey: true,
  address: "https://generativelanguage.googleapis.com/v1beta",
  leaks: false,
  manner: {
    shows: isDocumentOrSound,
    resultsShow: true,
    marksFailures: true,
    narrowIds: false,
    schemaBesideTools: false,
    settings: () => ({}),
  },
  open: async (connection) => {
    const { createGoogle } = await import("@ai-sdk/google");
    const fetch = googleFetch(connection.fetch);
    return createGoogle(settingsOf({ ...connection, fetch })).languageModel(connection.name);
  },
};

const ollama: Provider = {
  format: "openai",
  keys: ["OLLAMA_API_KEY"],
  needsKey: false,
  addressKey: "OLLAMA_HOST",
  address: "http://localhost:11434/api",
  leaks: true,
  manner: {
    ...CHAT,
    shows: isImage,
    settings: ({ maxOutputTokens, temperature }, window) => ({
      ollama: {
        options: {
          num_ctx: window,
          ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
          ...(temperature !== undefined && { temperature }),
        },
      },
    }),
    settingsSayAll: true,
  },
  open: async (connection) => {
    const { createOllama } = await import("ollama-ai-provider-v2");
    const { baseUrl, apiKey, headers } = connection;
    const authorization = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
    return createOllama({
      baseURL: baseUrl,
      headers: { ...authorization, ...headers },
      fetch: unsealingFetch(ollamaFetch(connection.fetch)),
    }).languageModel(connection.name);
  },
};

const compatible: Provider = {
  format: "openai",
  keys: ["OPENAI_COMPATIBLE_API_KEY"],
  needsKey: false,
  addressKey: "OPENAI_COMPATIBLE_BASE_URL",
  leaks: true,
  manner: CHAT,
  open: openCompatible,
};

/** Every provider, by the word before the slash. `scripted` is none: nobody serves it. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic,
  openai,
  "openai-chat": openaiChat,
  google,
  ollama,
  compatible,
  vllm: server("http://localhost:8000/v1", "VLLM"),
  lmstudio: server("http://localhost:1234/v1", "LMSTUDIO"),
  llamacpp: server("http://localhost:8080/v1", "LLAMACPP"),
};

function server(address: string, word: string): Provider {
  return { ...compatible, address, keys: [`${word}_API_KEY`], addressKey: `${word}_BASE_URL` };
}

async function openCompatible(connection: Connection): Promise<SdkModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    ...settingsOf(connection),
    name: connection.provider,
    includeUsage: true,
    supportsStructuredOutputs: true,
  }).languageModel(connection.name);
}

/** As every package of the SDK is told it. Nothing is left out that it would look for in the process's own environment. */
function settingsOf({ baseUrl, apiKey, headers, fetch }: Connection) {
  return {
    baseURL: baseUrl,
    headers: { ...headers },
    fetch: unsealingFetch(fetch),
    ...(apiKey !== undefined && { apiKey }),
  };
}
