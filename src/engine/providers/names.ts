import type { ProviderFormat } from "../types/provider-format.ts";

/** Which names a provider takes. */
export interface NameRule {
  /** One character that must be replaced. */
  readonly unsafe: RegExp;
  readonly first: RegExp;
  readonly longest: number;
}

/** The two directions between a tool's name and what one provider is shown. */
export interface Names {
  shown(name: string): string;
  original(shown: string): string | undefined;
}

const WORD: NameRule = { unsafe: /[^a-zA-Z0-9_-]/gu, first: /[a-zA-Z0-9_-]/, longest: 64 };

/**
 * What each provider documents or answers with 400. Anthropic's own limit is 128, but Claude on other clouds keeps to 64;
 * Gemini takes dots in newer versions only; MCP (2025-11-25) allows dots and 128.
 */
const RULES: Readonly<Record<ProviderFormat, NameRule>> = {
  openai: WORD,
  "openai-responses": WORD,
  anthropic: WORD,
  google: { ...WORD, first: /[a-zA-Z_]/ },
  mcp: { unsafe: /[^a-zA-Z0-9_.-]/gu, first: /[a-zA-Z0-9_.-]/, longest: 128 },
};

/** The name as the provider takes it: a safe name is unchanged, another has its characters replaced and is cut with a stable hash. */
export function toProviderName(name: string, format: ProviderFormat): string {
  return toSafeName(name, RULES[format]);
}

/** Names for one set of tools: no two share a shown name, whatever their order, and each leads back to its own. */
export function createNames(names: readonly string[], format: ProviderFormat): Names {
  return createSafeNames(names, RULES[format]);
}

/** Like `createNames`, for any rule. A name that is safe as it is always keeps itself; those that clash with another get a hash. */
export function createSafeNames(names: readonly string[], rule: NameRule): Names {
  const claims = new Map<string, Set<string>>();
  for (const name of names) {
    const safe = toSafeName(name, rule);
    const claimed = claims.get(safe);
    if (claimed === undefined) claims.set(safe, new Set([name]));
    else claimed.add(name);
  }
  const originals = new Map<string, string>();
  const clashing: [string, string][] = [];
  for (const [safe, claimed] of claims) {
    const owner = claimed.has(safe) ? safe : claimed.size === 1 ? [...claimed][0] : undefined;
    if (owner !== undefined) originals.set(safe, owner);
    for (const name of claimed) if (name !== owner) clashing.push([name, safe]);
  }
  // Sorted, so that the outcome does not depend on the order in which tools were added.
  for (const [name, safe] of clashing.sort(([a], [b]) => (a < b ? -1 : 1)))
    originals.set(freeName(name, safe, rule, originals), name);
  const shown = new Map([...originals].map(([safe, name]) => [name, safe]));
  return {
    shown: (name) => shown.get(name) ?? toSafeName(name, rule),
    original: (name) => originals.get(name),
  };
}

function toSafeName(name: string, rule: NameRule): string {
  const replaced = name.replace(rule.unsafe, "_");
  const safe = rule.first.test(replaced.charAt(0)) ? replaced : `_${replaced}`;
  return safe.length <= rule.longest ? safe : withHash(safe, name, rule);
}

function freeName(name: string, safe: string, rule: NameRule, taken: ReadonlyMap<string, string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const candidate = withHash(safe, attempt === 0 ? name : `${name}#${attempt}`, rule);
    if (!taken.has(candidate)) return candidate;
  }
}

function withHash(safe: string, name: string, rule: NameRule): string {
  const hash = shortHash(name);
  return `${safe.slice(0, rule.longest - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits, as seven characters: the same on every machine and in every run. */
function shortHash(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return (hash >>> 0).toString(36).padStart(7, "0");
}
