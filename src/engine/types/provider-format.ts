/** The API formats that tools and answers can be written in. */
export const PROVIDER_FORMATS = ["openai", "openai-responses", "anthropic", "google", "mcp"] as const;

export type ProviderFormat = (typeof PROVIDER_FORMATS)[number];

/** Maps between tool names and the names that one provider is shown. */
export interface ToolNames {
  shown(name: string): string;
  original(shown: string): string | undefined;
}
