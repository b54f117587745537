/** Whose form tools and answers are written in. */
export type ProviderFormat = "openai" | "openai-responses" | "anthropic" | "google" | "mcp";

export const PROVIDER_FORMATS: readonly ProviderFormat[] = [
  "openai",
  "openai-responses",
  "anthropic",
  "google",
  "mcp",
];
