/** Names of models by which their provider is known. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt|o\d|chatgpt|codex)/i, "openai"],
  [/^claude/i, "anthropic"],
  [/^gemini/i, "google"],
  [/^(?:llama|qwen|mistral|gemma|deepseek|phi)/i, "ollama"],
];

/** Returns the id that a name without a provider probably means; undefined for other texts. */
export function suggestModel(name: unknown): string | undefined {
  if (typeof name !== "string" || name.includes("/") || /\s/.test(name)) return undefined;
  const [, provider] = FAMILIES.find(([pattern]) => pattern.test(name)) ?? [];
  return provider === undefined ? undefined : `${provider}/${name}`;
}
