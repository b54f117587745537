import { isDocument, isDocumentOrSound, isImage } from "./attachments.ts";
import { CLAUDE_MODELS, GEMINI_MODELS, GPT_MODELS } from "./known-models.ts";
import { createOllama } from "./ollama.ts";
import type { Capabilities, Connection, Provider } from "./provider.ts";
import type { SdkModel } from "./sdk.ts";
import { googleFetch, unsealingFetch } from "./tool-schemas.ts";
import { defined } from "../../util/json/defined.ts";

const CHAT: Capabilities = {
  accepts: isDocumentOrSound,
  filesInResults: false,
  marksErrors: false,
  shortCallIds: false,
  schemaWithTools: false,
  settings: () => ({ openaiCompatible: { strictJsonSchema: false } }),
};

const anthropic: Provider = {
  format: "anthropic",
  keys: ["ANTHROPIC_API_KEY"],
  needsKey: true,
  addressKey: "ANTHROPIC_BASE_URL",
  address: "https://api.anthropic.com/v1",
  leaks: false,
  known: CLAUDE_MODELS,
  windows: [[/^claude/, 200_000]],
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#limits
  defersTools: /^claude-(?:(?:opus|sonnet)-[4-9]|haiku-(?:4-[5-9]|[5-9])|fable|mythos)/,
  capabilities: {
    bringsTools: "references",
    accepts: isDocument,
    filesInResults: true,
    marksErrors: true,
    shortCallIds: true,
    schemaWithTools: true,
    marksCache: true,
    // An input is only used when it is complete, so streaming it unvalidated gains nothing.
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
  known: GPT_MODELS,
  windows: [
    [/^gpt-4\.1/, 1_047_576],
    [/^gpt-[5-9]/, 400_000],
    [/^o[134]/, 200_000],
  ],
} as const;

const openai: Provider = {
  ...OPENAI,
  format: "openai-responses",
  // https://platform.openai.com/docs/guides/tools-tool-search
  defersTools: /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/,
  capabilities: {
    bringsTools: "definitions",
    accepts: isDocument,
    filesInResults: true,
    marksErrors: false,
    shortCallIds: true,
    schemaWithTools: true,
    sendsStrictFalse: true,
    // Conversations outlive what the provider stores, so all of it is sent with each request.
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
  capabilities: {
    ...CHAT,
    shortCallIds: true,
    schemaWithTools: true,
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
  known: GEMINI_MODELS,
  windows: [[/^gemini/, 1_048_576]],
  capabilities: {
    accepts: isDocumentOrSound,
    filesInResults: true,
    marksErrors: true,
    shortCallIds: false,
    schemaWithTools: false,
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
  startHint: "start it with: ollama serve",
  leaks: true,
  // Ollama truncates to its own default, which is too small for most tasks, unless a request names a window.
  windows: [[/^/, 8192]],
  capabilities: { ...CHAT, accepts: isImage, settings: (window) => ({ ollama: { num_ctx: window } }) },
  open: (connection) =>
    Promise.resolve(createOllama({ ...connection, fetch: unsealingFetch(connection.fetch) })),
};

const compatible: Provider = {
  format: "openai",
  keys: ["OPENAI_COMPATIBLE_API_KEY"],
  needsKey: false,
  addressKey: "OPENAI_COMPATIBLE_BASE_URL",
  startHint: "start the server, or correct its address",
  leaks: true,
  capabilities: CHAT,
  open: openCompatible,
};

/** All providers that are requested over the network, by the word before the slash of a model id. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic,
  openai,
  "openai-chat": openaiChat,
  google,
  ollama,
  compatible,
  vllm: server("http://localhost:8000/v1", "VLLM", "vllm serve MODEL"),
  lmstudio: server("http://localhost:1234/v1", "LMSTUDIO", "lms server start"),
  llamacpp: server("http://localhost:8080/v1", "LLAMACPP", "llama-server -m FILE"),
};

function server(address: string, prefix: string, start: string): Provider {
  const startHint = `start it with: ${start}`;
  return { ...compatible, address, startHint, keys: [`${prefix}_API_KEY`], addressKey: `${prefix}_BASE_URL` };
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

/** Returns the settings that all SDK packages share, with everything that they would otherwise read from `process.env`. */
function settingsOf({ baseUrl, apiKey, headers, fetch }: Connection) {
  return { baseURL: baseUrl, headers: { ...headers }, fetch: unsealingFetch(fetch), ...defined({ apiKey }) };
}
