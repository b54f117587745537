/** What the providers document for their families; the first that fits counts. */
const FAMILIES: Readonly<Record<string, readonly (readonly [RegExp, number])[]>> = {
  anthropic: [[/^claude/, 200_000]],
  openai: [
    [/^gpt-4\.1/, 1_047_576],
    [/^gpt-5/, 400_000],
    [/^o[134]/, 200_000],
  ],
  google: [[/^gemini/, 1_048_576]],
};

const USUAL = 128_000;
/** Ollama gives a model as much as it is told to, and less than most tasks need if it is not. */
const OLLAMA = 8192;

/** How many tokens a model takes, as far as its name says it. */
export function windowOf(provider: string, name: string): number {
  if (provider === "ollama") return OLLAMA;
  const families = FAMILIES[provider === "openai-chat" ? "openai" : provider] ?? [];
  return families.find(([family]) => family.test(name))?.[1] ?? USUAL;
}
