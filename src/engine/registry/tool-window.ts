import { ToolError } from "../../core/errors.ts";
import { estimateText } from "./estimate-text.ts";
import type { ToolLimit } from "../types/registry.ts";
import type { Registry, SwitchedGroups, ToolEntry, ToolWindow } from "../types/tool-entry.ts";

/** The tools that find and activate the others. */
const FINDERS: ReadonlySet<string> = new Set(["search_tools", "activate_tools"]);
const BUILT_IN = "built-in";
const ABOUT = "about";
/** The share of the limit that is filled at first: the rest is for tools that are activated. */
const FIRST_SHARE = 0.75;

const NONE: ReadonlySet<string> = new Set();

/** The most tokens of the tools of sources, unless the caller says otherwise: a tenth of a window of 200 000. */
export const MOST_TOOL_TOKENS = 20_000;

/** The tools that are shown or left out together. */
interface Bundle {
  readonly name: string;
  readonly tools: readonly ToolEntry[];
  /** 0 for tools that the budget of tokens does not limit. */
  readonly tokens: number;
}

/** Creates the window of one session. `nextVersion` returns a number that no other list of tools has. */
export function createToolWindow(
  registry: Registry,
  groups: SwitchedGroups,
  nextVersion: () => number,
): ToolWindow {
  let limit: ToolLimit | undefined;
  let last: { readonly of: string; readonly hidden: ReadonlySet<string> } | undefined;
  let versions: { readonly of: number; readonly own: number } | undefined;
  /** Sources that were shown stay, so that the beginning of a request does not change. */
  let shownSources: readonly string[] = [];
  const seen = new Map<string, number>();
  const includes = (name: string): boolean => limit?.includes?.(name) !== false;
  const canFind = (): boolean =>
    [...FINDERS].every((name) => registry.find(name) !== undefined && includes(name));
  const active = (): readonly ToolEntry[] =>
    [...registry.entries()].filter(
      ({ group, tool }) => groups.isActive(group, tool.name) && includes(tool.name),
    );
  const hidden = (): ReadonlySet<string> => {
    if (limit === undefined) return NONE;
    const of = `${registry.version} ${groups.version}`;
    if (last?.of === of) return last.hidden;
    const chosen = canFind() ? choose(active(), groups, limit, shownSources) : undefined;
    shownSources = chosen?.sources ?? [];
    last = { of, hidden: chosen?.hidden ?? NONE };
    return last.hidden;
  };
  return {
    setLimit(next) {
      const isSame =
        limit?.tools === next?.tools && limit?.tokens === next?.tokens && limit?.includes === next?.includes;
      if (isSame) return;
      limit = next;
      [last, versions, shownSources] = [undefined, undefined, []];
    },
    includes,
    hides: (name) => limit !== undefined && hidden().has(name),
    demands: (name) => limit !== undefined && FINDERS.has(name) && hidden().size > 0,
    checkRoom(tools, { replaces }) {
      if (limit === undefined || !canFind()) return;
      const visibleTools = active().filter(({ tool }) => !hidden().has(tool.name));
      checkRoom(replaces ? visibleTools.filter(isAbout) : visibleTools, tools, limit.tools);
    },
    inOrder(entries) {
      if (limit === undefined) return entries;
      for (const { tool } of entries) if (!seen.has(tool.name)) seen.set(tool.name, seen.size);
      const placeOf = ({ tool }: ToolEntry): number => seen.get(tool.name) ?? 0;
      return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
    },
    get version() {
      const of = registry.version;
      if (limit?.includes === undefined) return of;
      if (versions?.of !== of) versions = { of, own: nextVersion() };
      return versions.own;
    },
  };
}

/** Throws if the tools that stay and those that are added are more than a request has. */
function checkRoom(stay: readonly ToolEntry[], tools: readonly ToolEntry[], most: number): void {
  const added = [...new Set(tools)].filter((tool) => !stay.includes(tool)).length;
  if (stay.length + added <= most) return;
  const message = `a request has at most ${most} tools: ${stay.length} stay active, and this adds ${added}`;
  const hint = "activate single tools that search_tools finds, or give all that you need with replace: true";
  throw new ToolError("INVALID_INPUT", message, { hint });
}

/** Returns the tools that the limit leaves out, and the sources of which it leaves out none; undefined if everything fits. */
function choose(
  active: readonly ToolEntry[],
  groups: SwitchedGroups,
  limit: ToolLimit,
  kept: readonly string[],
): { readonly hidden: ReadonlySet<string>; readonly sources: readonly string[] } | undefined {
  const others = active.filter((entry) => !isAbout(entry));
  const chosen = others.filter(({ group, tool }) => groups.isChosen(group, tool.name));
  const sources = bundlesOf(others.filter((entry) => !chosen.includes(entry)));
  const tokens = sources.reduce((sum, one) => sum + one.tokens, 0);
  if (active.length <= limit.tools && tokens <= limit.tokens) return undefined;

  const visibleTools = new Set(active.filter(isAbout));
  let spent = 0;
  const show = (bundle: Bundle, maximum: number): boolean => {
    const fits = visibleTools.size + bundle.tools.length <= maximum && spent + bundle.tokens <= limit.tokens;
    if (!fits) return false;
    for (const tool of bundle.tools) visibleTools.add(tool);
    spent += bundle.tokens;
    return true;
  };
  for (const one of chosen) show({ name: one.tool.name, tools: [one], tokens: 0 }, limit.tools);
  const first = sources.toSorted((a, b) => Number(kept.includes(b.name)) - Number(kept.includes(a.name)));
  const names = first.flatMap((bundle) => {
    const isFirst = bundle.name !== BUILT_IN && !kept.includes(bundle.name);
    return show(bundle, isFirst ? limit.tools * FIRST_SHARE : limit.tools) ? [bundle.name] : [];
  });
  return {
    hidden: new Set(active.flatMap((entry) => (visibleTools.has(entry) ? [] : [entry.tool.name]))),
    sources: names,
  };
}

/** Returns the tools by source: the built-in ones, then the sources from the smallest to the largest. */
function bundlesOf(entries: readonly ToolEntry[]): readonly Bundle[] {
  const sources = Map.groupBy(entries, ({ tool }) => tool.source);
  const bundles = [...sources].map(([name, tools]) => ({
    name,
    tools,
    tokens: name === BUILT_IN ? 0 : tools.reduce((sum, tool) => sum + tokensOf(tool), 0),
  }));
  return bundles.toSorted((a, b) => a.tokens - b.tokens);
}

function isAbout({ tool }: ToolEntry): boolean {
  return tool.group === ABOUT && tool.source === BUILT_IN;
}

/** Entries never change, and are estimated before every request. */
const estimated = new WeakMap<ToolEntry, number>();

function tokensOf(entry: ToolEntry): number {
  const { tool, shown } = entry;
  const known =
    estimated.get(entry) ?? estimateText(`${tool.name} ${tool.description} ${JSON.stringify(shown)}`);
  estimated.set(entry, known);
  return known;
}
