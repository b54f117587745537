import type { ToolChoice, ToolList } from "../../../core/session/active-tools.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import type { Engine, EngineSession } from "../../../engine/types/engine.ts";

/** Which tools one client is shown. */
export interface ShownTools {
  /** As `tools/list` gives them. */
  list(): readonly JsonObject[];
  /** Set where there are too many: then what its tools see of tools is what the client sees. */
  limited(): ToolList | undefined;
}

export interface ShownToolsOptions {
  readonly engine: Engine;
  readonly session: EngineSession;
  /** Above so many active tools a client sees only those that find others, and those it has activated. */
  readonly limit: number;
  readonly ceilings: readonly Ceiling[];
  /** Another number after each change of what is registered; never one that the engine gives. */
  readonly version: () => number;
  /** Hears that the client has chosen others. */
  readonly onChosen: () => void;
}

/** Enough to find and activate the rest. */
const FINDERS: ReadonlySet<string> = new Set(["search_tools", "activate_tools"]);
/** What was cut from an answer is read back with these. */
const ABOUT = "about";
/** Built-in tools of these groups touch nothing beyond this machine. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["files", "memory", ABOUT]);

/** Shows every active tool, or few where there are many. */
export function createShownTools(options: ShownToolsOptions): ShownTools {
  const { engine, session, limit, ceilings } = options;
  const census = createCensus(options);
  let chosen: Chosen | undefined;
  // Whoever may not look for others must see what there is.
  const mayFind = [...FINDERS].every((name) => isOffered(ceilings, name));
  const isLimited = (): boolean => mayFind && census().active > limit;
  const isShown = ({ name, group }: Pick<ToolSpec, "name" | "group">): boolean => {
    if (FINDERS.has(name)) return true;
    if (chosen === undefined) return false;
    return group === ABOUT || chosen.tools.has(name) || (group !== undefined && chosen.groups.has(group));
  };
  const limitedList = createLimitedList({ ...options, census }, isShown, (choice) => {
    chosen = choice;
    options.onChosen();
  });
  return {
    list() {
      const specs = engine.list({ session: session.id });
      const shapes = engine.specs("mcp", { session: session.id });
      const limited = isLimited();
      return specs.flatMap((spec, index) => {
        const shape = shapes[index];
        const isListed = isOffered(ceilings, spec.name) && (!limited || isShown(spec));
        return shape === undefined || !isListed ? [] : [withOpenness(shape, spec)];
      });
    },
    limited: () => (isLimited() ? limitedList : undefined),
  };
}

/** What is registered and offered to the client, counted again only after a change: every call asks. */
interface Census {
  readonly active: number;
  readonly byName: ReadonlyMap<string, ToolSpec>;
}

function createCensus({ engine, version, ceilings }: ShownToolsOptions): () => Census {
  const offered = (specs: readonly ToolSpec[]): readonly ToolSpec[] =>
    specs.filter(({ name }) => isOffered(ceilings, name));
  let last: (Census & { readonly version: number }) | undefined;
  return () => {
    if (last?.version !== version()) {
      const byName = new Map(offered(engine.list({ all: true })).map((spec) => [spec.name, spec]));
      last = { version: version(), active: offered(engine.list()).length, byName };
    }
    return last;
  };
}

interface Chosen {
  readonly groups: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** The session's tools with those that its client is not shown as inactive. */
function createLimitedList(
  { engine, session, version, census }: ShownToolsOptions & { readonly census: () => Census },
  isShown: (spec: ToolSpec) => boolean,
  onChosen: (chosen: Chosen) => void,
): ToolList {
  const isActive = (spec: ToolSpec): boolean =>
    session.groups.isActive(spec.group, spec.name) && isShown(spec);
  return {
    get(name) {
      const tool = engine.get(name);
      const spec = tool === undefined ? undefined : census().byName.get(tool.name);
      return spec !== undefined && isActive(spec) ? tool : undefined;
    },
    list: () =>
      engine.list({ session: session.id }).filter((spec) => census().byName.has(spec.name) && isShown(spec)),
    *all() {
      for (const spec of census().byName.values()) {
        const tool = engine.get(spec.name);
        if (tool !== undefined) yield { tool, group: spec.group, active: isActive(spec) };
      }
    },
    get version() {
      return version();
    },
    groups: () => session.groups.list(),
    choose: (choice) => onChosen(choose(session, choice, nameIn(engine, census()))),
  };
}

/** Everything is checked before anything is switched; locked groups stay as they are. */
function choose(
  { groups }: EngineSession,
  { groups: wanted = [], tools = [] }: ToolChoice,
  find: (name: string) => ToolSpec,
): Chosen {
  const all = groups.list();
  const found = tools.map(find);
  for (const name of [...wanted, ...found.flatMap(({ group }) => group ?? [])]) {
    const group = all.find((one) => one.name === name) ?? unknown(`there is no group "${name}"`);
    if (group.locked && !group.active)
      throw new ToolError("DENIED", `"${name}" is locked: only the user can activate it`);
  }
  const names = found.map(({ name }) => name);
  const free = all.filter(({ locked }) => !locked).map(({ name }) => name);
  groups.deactivate(free.filter((name) => !wanted.includes(name)));
  groups.activate(free.filter((name) => wanted.includes(name)));
  groups.allowOnly(names);
  return { groups: new Set(wanted), tools: new Set(names) };
}

function nameIn(engine: Engine, { byName }: Census): (name: string) => ToolSpec {
  return (name) => byName.get(engine.get(name)?.name ?? "") ?? unknown(`no tool is named "${name}"`);
}

function unknown(message: string): never {
  throw new ToolError("INVALID_INPUT", message, { hint: "search_tools finds tools" });
}

/** Only what cannot be otherwise: the protocol takes a tool to reach the open world unless it is said not to. */
function withOpenness(shape: JsonObject, { source, group }: ToolSpec): JsonObject {
  if (source !== "built-in" || !CLOSED.has(group)) return shape;
  const { annotations } = shape;
  return { ...shape, annotations: { ...(isObject(annotations) && annotations), openWorldHint: false } };
}

/** The names in a list as people write one, with commas and perhaps with blanks. */
export function parseNames(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Whether every ceiling has the name among its tools. */
export function isOffered(ceilings: readonly Ceiling[], name: string): boolean {
  return ceilings.every(
    ({ tools }) => tools === undefined || tools.some((pattern) => matches(pattern, name)),
  );
}

/** `*` stands for any part of a name. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  let from = first.length;
  const until = name.length - last.length;
  for (const part of parts) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > until) return false;
    from = at + part.length;
  }
  return true;
}
