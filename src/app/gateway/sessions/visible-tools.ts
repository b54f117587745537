import { starPattern } from "../../../util/text/name-pattern.ts";
import { isObject, type JsonObject, type JsonSchema } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import { TeamKey } from "../../../core/agent/team.ts";
import { ConversationKey } from "../../../core/agent/conversation.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine, EngineSession } from "../../../engine/types/engine.ts";
import type { ToolLimit } from "../../../engine/types/registry.ts";
import { READ_ARTIFACT } from "./artifact-resources.ts";
import { defined } from "../../../util/json/defined.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { ClientFace } from "../types/gateway-types.ts";

export interface VisibleToolsOptions {
  readonly engine: Engine;
  readonly session: EngineSession;
  /** Beyond it a client finds tools with `search_tools`. */
  readonly limit: ToolLimit;
  readonly ceilings: readonly Ceiling[];
  /** Returns whether the client has an answer that was cut, which `read_artifact` reads. */
  readonly readsArtifacts: () => boolean;
}

const BUILT_IN = "built-in";
/** Built-in tools of these groups use nothing beyond this machine. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["files", "memory", "about"]);

/** Shows one client every active tool that its ceilings include, within the limit. */
export function createVisibleTools({
  engine,
  session,
  limit,
  ceilings,
  readsArtifacts,
}: VisibleToolsOptions) {
  const includes = namesOf(ceilings);
  session.limitTools({ ...limit, ...defined({ includes }) });
  return {
    /** Returns them in the form of `tools/list`. */
    list(face: ClientFace = { hasLinks: true }): readonly JsonObject[] {
      const specs = engine.list({ session: session.id });
      const shapes = engine.specs("mcp", { session: session.id });
      const usable = specs.filter(({ name }) => includes?.(name) !== false);
      return specs.flatMap((spec, index) => {
        const known = shapes[index];
        const tool = engine.get(spec.name);
        const shape =
          known === undefined || tool?.describe === undefined
            ? known
            : { ...known, description: tool.describe(usable) };
        const isListed =
          (includes?.(spec.name) !== false && !isForAgents(tool)) ||
          (spec.name === READ_ARTIFACT && readsArtifacts());
        return shape === undefined || !isListed ? [] : [toListed(withOpenWorldHint(shape, spec), spec, face)];
      });
    },
  };
}

/** Returns a test for the names that every ceiling includes; undefined if the ceilings name no tools. */
function namesOf(ceilings: readonly Ceiling[]): ((name: string) => boolean) | undefined {
  if (ceilings.every(({ tools }) => tools === undefined)) return undefined;
  return (name) => isIncluded(ceilings, name);
}

/** Returns true for a tool that only an agent of Toolwright can use, which a client is not. */
export function isForAgents(tool: Tool | undefined): boolean {
  return tool?.needs?.some(({ name }) => name === TeamKey.name || name === ConversationKey.name) === true;
}

/**
 * Returns the tool as this client gets it: that of an upstream server as its server lists it. An output schema obliges every result to
 * have structured content, so that it is listed only if every result has: of this engine's tools, if they declare an object.
 */
function toListed(
  { outputSchema: own, ...shape }: JsonObject,
  { listed = {}, output, source }: ToolSpec,
  { structuredContent = "given", maxResultBytes }: ClientFace,
): JsonObject {
  const { outputSchema: ownSchema, ...rest } = listed;
  const isGiven = structuredContent === "given" && maxResultBytes === undefined;
  const isOwn = structuredContent === "given" && !source.startsWith("mcp:") && isObjectSchema(output);
  const outputSchema = structuredContent === "always" || isOwn ? own : isGiven ? ownSchema : undefined;
  return { ...shape, ...rest, ...defined({ outputSchema }) };
}

/** Returns whether every answer of a tool with this output schema has an object as its data. */
export function isObjectSchema(output: JsonSchema | undefined): boolean {
  return isObject(output) && output["type"] === "object";
}

/** Adds `openWorldHint: false` where it is certain: without it the protocol assumes an open world. */
function withOpenWorldHint(shape: JsonObject, { source, group }: ToolSpec): JsonObject {
  if (source !== BUILT_IN || !CLOSED.has(group)) return shape;
  const { annotations } = shape;
  return { ...shape, annotations: { ...(isObject(annotations) && annotations), openWorldHint: false } };
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
