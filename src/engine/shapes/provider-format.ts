/** Whose form tools and answers are written in. */
export type ProviderFormat = "openai" | "openai-responses" | "anthropic" | "google" | "mcp";
