import { starPattern } from "../../../util/text/name-pattern.ts";
import type { ToolChoice, ToolList } from "../../../core/session/active-tools.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Failure } from "../../../core/result.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import { TeamKey } from "../../../core/agent/team.ts";
import { ConversationKey } from "../../../core/agent/conversation.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine, EngineSession } from "../../../engine/types/engine.ts";
import { READ_ARTIFACT } from "./artifact-resources.ts";
import { defined } from "../../../util/json/defined.ts";
import { failedResult } from "../../../util/json/fault.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { ClientFace } from "../types/gateway-types.ts";

export interface VisibleToolsOptions {
  readonly engine: Engine;
  readonly session: EngineSession;
  /** With more active tools than this a client sees only the tools that find others, and those it has activated. */
  readonly limit: number;
  readonly ceilings: readonly Ceiling[];
  /** Returns a new number after each change of the registry; never a number that the engine uses. */
  readonly version: () => number;
  /** Returns whether the client has an answer that was cut, which `read_artifact` reads. */
  readonly readsArtifacts: () => boolean;
  /** Called when the client has activated other tools. */
  readonly onChosen: () => void;
}

/** The tools that find and activate the others. */
const FINDERS: ReadonlySet<string> = new Set(["search_tools", "activate_tools"]);
/** The group of tools that read cut answers. */
const ABOUT = "about";
const BUILT_IN = "built-in";
/** Built-in tools of these groups use nothing beyond this machine. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["files", "memory", ABOUT]);

/** Shows one client every active tool, or only a few if there are more than the limit. */
export function createVisibleTools(options: VisibleToolsOptions) {
  const { engine, session, limit, ceilings } = options;
  const counts = createCounts(options);
  let chosen: Chosen | undefined;
  // A client that cannot search for tools must see all of them.
  const mayFind = [...FINDERS].every((name) => isIncluded(ceilings, name));
  const isLimited = (): boolean => mayFind && counts().active > limit;
  const isVisible = ({ name, group, source }: Pick<ToolSpec, "name" | "group" | "source">): boolean => {
    if (FINDERS.has(name)) return true;
    // Until the client chooses, the built-in tools stay if they are not too many, and those of servers and programs are searched.
    if (chosen === undefined) return source === BUILT_IN && counts().builtIn <= limit;
    return group === ABOUT || chosen.tools.has(name) || (group !== undefined && chosen.groups.has(group));
  };
  const limitedList = createLimitedList({ ...options, counts }, isVisible, (choice) => {
    chosen = choice;
    options.onChosen();
  });
  return {
    /** Returns them in the form of `tools/list`. */
    list(face: ClientFace = { hasLinks: true }): readonly JsonObject[] {
      const specs = engine.list({ session: session.id });
      const shapes = engine.specs("mcp", { session: session.id });
      const limited = isLimited();
      const usable = specs.filter(({ name }) => isIncluded(ceilings, name));
      return specs.flatMap((spec, index) => {
        const given = shapes[index];
        const tool = engine.get(spec.name);
        const shape =
          given === undefined || tool?.describe === undefined
            ? given
            : { ...given, description: tool.describe(usable) };
        const isListed =
          (isIncluded(ceilings, spec.name) && (!limited || isVisible(spec)) && !isForAgents(tool)) ||
          (spec.name === READ_ARTIFACT && options.readsArtifacts());
        return shape === undefined || !isListed ? [] : [toListed(withOpenWorldHint(shape, spec), spec, face)];
      });
    },
    /** Returns the reduced list if there are too many tools; its calls then see only the tools that the client sees. */
    limited: () => (isLimited() ? limitedList : undefined),
    /** Returns true for a tool that the reduced list leaves out. */
    hides: (name: string): boolean =>
      isLimited() && limitedList.get(name) === undefined && engine.get(name) !== undefined,
  };
}

/** Returns true for a tool that only an agent of Toolwright can use, which a client is not. */
export function isForAgents(tool: Tool | undefined): boolean {
  return tool?.needs?.some(({ name }) => name === TeamKey.name || name === ConversationKey.name) === true;
}

/** The registered tools that the client's ceilings include, computed once for each version of the registry. */
interface Counts {
  readonly active: number;
  /** Of these, the built-in ones. */
  readonly builtIn: number;
  readonly byName: ReadonlyMap<string, ToolSpec>;
}

function createCounts({ engine, version, ceilings }: VisibleToolsOptions): () => Counts {
  const included = (specs: readonly ToolSpec[]): readonly ToolSpec[] =>
    specs.filter(({ name }) => isIncluded(ceilings, name));
  let last: (Counts & { readonly version: number }) | undefined;
  return () => {
    if (last?.version !== version()) {
      const byName = new Map(included(engine.list({ all: true })).map((spec) => [spec.name, spec]));
      const active = included(engine.list());
      const builtIn = active.filter(({ source }) => source === BUILT_IN).length;
      last = { version: version(), active: active.length, builtIn, byName };
    }
    return last;
  };
}

interface Chosen {
  readonly groups: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** The session's tools; those that its client does not see are inactive. */
function createLimitedList(
  { engine, session, version, counts }: VisibleToolsOptions & { readonly counts: () => Counts },
  isVisible: (spec: ToolSpec) => boolean,
  onChosen: (chosen: Chosen) => void,
): ToolList {
  const isActive = (spec: ToolSpec): boolean =>
    session.groups.isActive(spec.group, spec.name) && isVisible(spec);
  return {
    get(name) {
      const tool = engine.get(name);
      const spec = tool === undefined ? undefined : counts().byName.get(tool.name);
      return spec !== undefined && isActive(spec) ? tool : undefined;
    },
    list: () =>
      engine
        .list({ session: session.id })
        .filter((spec) => counts().byName.has(spec.name) && isVisible(spec)),
    *all() {
      for (const spec of counts().byName.values()) {
        const tool = engine.get(spec.name);
        if (tool !== undefined) yield { tool, group: spec.group, active: isActive(spec) };
      }
    },
    get version() {
      return version();
    },
    groups: () => session.groups.list(),
    choose: (choice) => onChosen(choose(session, choice, nameIn(engine, counts()))),
  };
}

/** Checks the whole choice before anything changes; locked groups stay as they are. */
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

function nameIn(engine: Engine, { byName }: Counts): (name: string) => ToolSpec {
  return (name) => byName.get(engine.get(name)?.name ?? "") ?? unknown(`no tool is named "${name}"`);
}

function unknown(message: string): never {
  throw new ToolError("INVALID_INPUT", message, { hint: "search_tools finds tools" });
}

/**
 * Returns the tool as this client gets it: that of an upstream server as its server lists it. An output schema obliges every result to
 * have structured content, so that it is listed only if every result has.
 */
function toListed(
  { outputSchema: own, ...shape }: JsonObject,
  { listed = {} }: ToolSpec,
  { structuredContent = "given", maxResultBytes }: ClientFace,
): JsonObject {
  const { outputSchema: given, ...rest } = listed;
  const isGiven = structuredContent === "given" && maxResultBytes === undefined;
  const outputSchema = structuredContent === "always" ? own : isGiven ? given : undefined;
  return { ...shape, ...rest, ...defined({ outputSchema }) };
}

/** Adds `openWorldHint: false` where it is certain: without it the protocol assumes an open world. */
function withOpenWorldHint(shape: JsonObject, { source, group }: ToolSpec): JsonObject {
  if (source !== BUILT_IN || !CLOSED.has(group)) return shape;
  const { annotations } = shape;
  return { ...shape, annotations: { ...(isObject(annotations) && annotations), openWorldHint: false } };
}

/** Returns the answer to a call of a tool that its client does not see. */
export function inactive(callId: string, name: string): Failure {
  const error = {
    code: "TOOL_DISABLED",
    message: `"${name}" is not active`,
    hint: "activate it with activate_tools first",
  } as const;
  return failedResult(callId, name, error);
}

/** Parses a comma-separated list of names. */
export function parseNames(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Returns a warning about each name of `--tools` that matches no tool; a prompt of a server has a name like `server__prompt`. */
export function unmatchedNames(names: readonly string[], engine: Engine): readonly string[] {
  const tools = engine.list({ all: true }).map(({ name }) => name);
  return names
    .filter((name) => !name.includes("__") && !tools.some(starPattern(name)))
    .map((name) => `--tools: no tool matches "${name}": ${nearHint(name, tools, "see toolwright tools")}`);
}

/** Returns whether every ceiling includes the tool. */
export function isIncluded(ceilings: readonly Ceiling[], name: string): boolean {
  return ceilings.every(({ tools }) => tools === undefined || tools.some((one) => starPattern(one)(name)));
}
