import { ToolError } from "../core/errors.ts";
import type { ProviderFormat } from "./provider-shapes.ts";

/** Maps between tool names and the names that one provider is shown. */
export interface ToolNames {
  /** Returns the name that the provider is shown. */
  shown(name: string): string;
  /** Returns the name of the tool; undefined if no tool is shown under this name. */
  original(shown: string): string | undefined;
}

/** The names that a provider accepts. */
export interface NameRule {
  /** Matches each character that must be replaced. */
  readonly unsafe: RegExp;
  readonly first: RegExp;
  readonly longest: number;
}

const WORD: NameRule = { unsafe: /[^a-zA-Z0-9_-]/gu, first: /[a-zA-Z0-9_-]/, longest: 64 };

/**
 * The limits that each provider documents or enforces with a 400. Anthropic's own limit is 128, but Claude on other clouds has 64;
 * Gemini accepts dots in newer versions only; MCP (2025-11-25) allows dots and 128 characters.
 */
const RULES: Readonly<Record<ProviderFormat, NameRule>> = {
  openai: WORD,
  "openai-responses": WORD,
  anthropic: WORD,
  google: { ...WORD, first: /[a-zA-Z_]/ },
  mcp: { unsafe: /[^a-zA-Z0-9_.-]/gu, first: /[a-zA-Z0-9_.-]/, longest: 128 },
};

/** The API formats that tools and answers can be written in. */
export const PROVIDER_FORMATS = Object.keys(RULES) as readonly ProviderFormat[];

/** Returns the format. Throws `INVALID_INPUT` for a word that is none, which only untyped code can pass. */
export function knownFormat<F extends ProviderFormat>(format: F): F {
  if (Object.hasOwn(RULES, format)) return format;
  throw new ToolError("INVALID_INPUT", `unknown provider format ${JSON.stringify(format)}`, {
    hint: `use ${PROVIDER_FORMATS.join(", ")}`,
  });
}

/** Returns the name as the provider accepts it: unsafe characters are replaced, and a long name is cut and gets a stable hash. */
export function toProviderName(name: string, format: ProviderFormat): string {
  return toSafeName(name, RULES[format]);
}

/** Creates unique names for a set of tools, independent of their order; each maps back to its tool. */
export function createToolNames(names: readonly string[], format: ProviderFormat): ToolNames {
  return createSafeNames(names, RULES[knownFormat(format)]);
}

/** Creates unique names under any rule. A safe name stays unchanged; names that collide with another get a hash. */
export function createSafeNames(names: readonly string[], rule: NameRule): ToolNames {
  const all = new Set(names);
  // Most names are safe as they are, and there may be many.
  const claims = new Map<string, string[]>();
  for (const name of all) {
    const safe = toSafeName(name, rule);
    if (safe === name) continue;
    const claimed = claims.get(safe);
    if (claimed === undefined) claims.set(safe, [name]);
    else claimed.push(name);
  }
  const isSafe = (name: string): boolean => all.has(name) && !safeNames.has(name);
  const originals = new Map<string, string>();
  const safeNames = new Map<string, string>();
  const assign = (name: string, safe: string): void => {
    originals.set(safe, name);
    safeNames.set(name, safe);
  };
  const colliding: [string, string][] = [];
  for (const [safe, claimed] of claims) {
    const [only = ""] = claimed;
    if (claimed.length === 1 && !all.has(safe)) assign(only, safe);
    else for (const name of claimed) colliding.push([name, safe]);
  }
  // Sorted, so that the result does not depend on the order in which tools were added.
  for (const [name, safe] of colliding.sort(([a], [b]) => (a < b ? -1 : 1)))
    assign(
      name,
      freeName(name, safe, rule, (taken) => originals.has(taken) || all.has(taken)),
    );
  return {
    shown: (name) => safeNames.get(name) ?? toSafeName(name, rule),
    original: (name) => originals.get(name) ?? (isSafe(name) ? name : undefined),
  };
}

function toSafeName(name: string, rule: NameRule): string {
  const replaced = name.replace(rule.unsafe, "_");
  const safe = rule.first.test(replaced.charAt(0)) ? replaced : `_${replaced}`;
  return safe.length <= rule.longest ? safe : withHash(safe, name, rule);
}

function freeName(
  name: string,
  safe: string,
  rule: NameRule,
  isTaken: (candidate: string) => boolean,
): string {
  for (let attempt = 0; ; attempt += 1) {
    const candidate = withHash(safe, attempt === 0 ? name : `${name}#${attempt}`, rule);
    if (!isTaken(candidate)) return candidate;
  }
}

function withHash(safe: string, name: string, rule: NameRule): string {
  const hash = shortHash(name);
  return `${safe.slice(0, rule.longest - hash.length - 1)}_${hash}`;
}

/** Returns the 32-bit FNV-1a hash as seven characters, the same on every machine and in every run. */
function shortHash(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return (hash >>> 0).toString(36).padStart(7, "0");
}
