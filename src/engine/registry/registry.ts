import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Alias, Tool } from "../../core/tool.ts";
import type { Presets } from "../types/registry.ts";
import { applyPresets, propertiesOf } from "./presets.ts";
import { createNames } from "./provider-shapes.ts";
import type { Names } from "../providers/names.ts";
import type { ProviderFormat } from "../types/provider-format.ts";
import type { Validator } from "../../schema/validate.ts";
import { createValidator } from "../../schema/validate.ts";

/** A registered tool with what the engine has worked out about it. */
export interface Entry {
  readonly tool: Tool;
  readonly group: string | undefined;
  readonly hidden: JsonObject;
  /** The schema that the model is shown, and that its input is checked against. */
  readonly shown: JsonObject;
  readonly validator: Validator;
  output: Validator | undefined;
  /** Whether a provider may be shown other names for its parameters; worked out at the first call. */
  mayHaveSafeKeys: boolean | undefined;
}

/** What a name stands for: a tool, and that name's own parameter names. */
export interface Found {
  readonly entry: Entry;
  readonly renames: Readonly<Record<string, string>> | undefined;
}

export interface RegisterOptions {
  readonly group?: string;
  readonly presets?: Presets;
  readonly replace?: boolean;
}

/** Every tool by name and alias. Adding is all or nothing; a taken name changes nothing. */
export interface Registry {
  add(tools: readonly Tool[], optionsOf: (tool: Tool) => RegisterOptions): void;
  remove(name: string): Entry | undefined;
  find(name: string): Found | undefined;
  /** In the order in which they were added. */
  entries(): Iterable<Entry>;
  /** Makes a tool the last one in order. */
  moveToEnd(name: string): void;
  /** The names under which a provider is shown the tools, over all of them, so that one name never changes its meaning. */
  names(format: ProviderFormat): Names;
  /** Another number after each change. */
  readonly version: number;
}

export function createRegistry(): Registry {
  const tools = new Map<string, Found>();
  const aliases = new Map<string, Found>();
  const shownNames = new Map<ProviderFormat, Names>();
  let version = 0;
  const change = (): void => {
    version += 1;
    shownNames.clear();
  };

  const forget = (entry: Entry): void => {
    tools.delete(entry.tool.name);
    for (const alias of aliasesOf(entry.tool)) aliases.delete(alias.name);
  };
  const holderOf = (name: string): Entry | undefined => (tools.get(name) ?? aliases.get(name))?.entry;

  return {
    add(added, optionsOf) {
      const made = prepare(added, optionsOf, holderOf);
      change();
      for (const { entry, replaced } of made) {
        if (replaced !== undefined) forget(replaced);
        const renames = entry.tool.parameterAliases;
        tools.set(entry.tool.name, { entry, renames });
        for (const { name, parameters } of aliasesOf(entry.tool)) {
          aliases.set(name, { entry, renames: { ...renames, ...parameters } });
        }
      }
    },
    remove(name) {
      change();
      const entry = tools.get(name)?.entry;
      if (entry !== undefined) forget(entry);
      return entry;
    },
    get version() {
      return version;
    },
    find: (name) => tools.get(name) ?? aliases.get(name),
    entries: () => tools.values().map(({ entry }) => entry),
    moveToEnd(name) {
      const found = tools.get(name);
      change();
      if (tools.delete(name) && found !== undefined) tools.set(name, found);
    },
    names(format) {
      const names = shownNames.get(format) ?? createNames([...tools.keys()], format);
      shownNames.set(format, names);
      return names;
    },
  };
}

/** The entries of tools that are to be added, and what each replaces; throws where a name is not free. */
function prepare(
  added: readonly Tool[],
  optionsOf: (tool: Tool) => RegisterOptions,
  holderOf: (name: string) => Entry | undefined,
): readonly { readonly entry: Entry; readonly replaced: Entry | undefined }[] {
  const taken = new Set<string>();
  return added.map((tool) => {
    const options = optionsOf(tool);
    const named = holderOf(tool.name);
    const replaced = options.replace === true && named?.tool.name === tool.name ? named : undefined;
    for (const name of namesOf(tool)) {
      const holder = holderOf(name);
      if (taken.has(name) || (holder !== undefined && holder !== replaced)) throw nameTaken(name, holder);
      taken.add(name);
    }
    return { entry: createEntry(tool, options), replaced };
  });
}

/** Every name under which a tool is found; throws on one that cannot be a name. */
function namesOf(tool: Tool): readonly string[] {
  const names = [tool.name, ...aliasesOf(tool).map((alias) => alias.name)];
  for (const name of names) assertName(name);
  return names;
}

function nameTaken(name: string, holder: Entry | undefined): ToolError {
  const by = holder === undefined ? "this list" : `"${holder.tool.name}" of ${holder.tool.source}`;
  return new ToolError("INVALID_INPUT", `the name "${name}" is taken`, {
    hint: holder === undefined ? "twice in one list" : `by ${by}; pass replace: true to swap it`,
    details: { reason: "name_taken", holder: by },
  });
}

/** The spec of a registered tool as a model may see it: no presets, no functions. */
export function specOf({ tool, shown, group }: Entry): ToolSpec {
  const { name, description, output, risk, place, source, effects, limits } = tool;
  return {
    name,
    description,
    input: shown,
    risk,
    place,
    source,
    effects,
    ...(output === undefined ? {} : { output }),
    ...(group === undefined ? {} : { group }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function createEntry(tool: Tool, options: RegisterOptions): Entry {
  assertRenames(tool);
  const { hidden, shown } = applyPresets(tool, options.presets);
  const group = options.group ?? tool.group;
  return {
    tool: inGroup(tool, group),
    group,
    hidden,
    shown,
    validator: createValidator(shown),
    output: undefined,
    mayHaveSafeKeys: undefined,
  };
}

/** The tool as rules see it: in the group it was put into, wherever it belongs by itself. */
function inGroup(tool: Tool, group: string | undefined): Tool {
  if (group === tool.group) return tool;
  return Object.create(tool, { group: { value: group, enumerable: true } }) as Tool;
}

function aliasesOf(tool: Tool): readonly Alias[] {
  return (tool.aliases ?? []).map((alias) => (typeof alias === "string" ? { name: alias } : alias));
}

function assertName(name: string): void {
  if (/^[^\p{C}\p{Z}]{1,128}$/u.test(name)) return;
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} cannot be a tool's name`, {
    details: { reason: "bad_name" },
    hint: "1 to 128 characters, without spaces or control characters",
  });
}

/** A parameter alias must lead to a parameter, and must not be one. */
function assertRenames(tool: Tool): void {
  const all = [tool.parameterAliases, ...aliasesOf(tool).map((alias) => alias.parameters)];
  if (all.every((renames) => renames === undefined)) return;
  const properties = propertiesOf(tool.input);
  for (const [alias, target] of all.flatMap((renames) => Object.entries(renames ?? {}))) {
    if (Object.hasOwn(properties, target) && !Object.hasOwn(properties, alias)) continue;
    throw new ToolError(
      "INVALID_INPUT",
      `tool "${tool.name}": parameter alias ${alias} → ${target} cannot be`,
      {
        hint: "the target must be a parameter of the tool, and the alias must not be one",
      },
    );
  }
}
