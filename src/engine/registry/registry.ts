import { originOf } from "../../core/events.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Alias, Tool } from "../../core/tool.ts";
import { assertName, checkDefinition } from "../../schema/define/check-definition.ts";
import { createValidator } from "../../schema/validate.ts";
import { createToolNames, type ToolNames } from "../../formats/tool-names.ts";
import type { ProviderFormat } from "../../formats/provider-shapes.ts";
import type { FoundTool, RegisterOptions, Registry, ToolEntry, ToolValidators } from "../types/tool-entry.ts";
import { applyPresets, propertiesOf } from "./presets.ts";
import { readItemAlias } from "./rename-parameters.ts";
import type { Registrar } from "../types/engine-parts.ts";

/** Creates an empty registry. */
export function createRegistry(): Registry {
  const tools = new Map<string, FoundTool>();
  const aliases = new Map<string, FoundTool>();
  const shownNames = new Map<ProviderFormat, ToolNames>();
  let version = 0;
  const change = (): void => {
    version += 1;
    shownNames.clear();
  };

  const deleteEntry = (entry: ToolEntry): void => {
    tools.delete(entry.tool.name);
    for (const alias of aliasesOf(entry.tool)) aliases.delete(alias.name);
  };
  const holderOf = (name: string): ToolEntry | undefined => (tools.get(name) ?? aliases.get(name))?.entry;

  return {
    add(added, optionsOf) {
      const made = prepare(added, optionsOf, holderOf);
      change();
      for (const { entry, replaced } of made) {
        if (replaced !== undefined) deleteEntry(replaced);
        const { name, parameterAliases } = entry.tool;
        tools.set(name, { entry, parameterAliases });
        for (const alias of aliasesOf(entry.tool))
          aliases.set(alias.name, { entry, parameterAliases: { ...parameterAliases, ...alias.parameters } });
      }
    },
    remove(name) {
      change();
      const entry = tools.get(name)?.entry;
      if (entry !== undefined) deleteEntry(entry);
      return entry;
    },
    get version() {
      return version;
    },
    find: (name) => tools.get(name) ?? aliases.get(name),
    entries: () => tools.values().map(({ entry }) => entry),
    moveToEnd(name) {
      const stored = tools.get(name);
      change();
      if (tools.delete(name) && stored !== undefined) tools.set(name, stored);
    },
    names(format) {
      const names = shownNames.get(format) ?? createToolNames([...tools.keys()], format);
      shownNames.set(format, names);
      return names;
    },
  };
}

/** Creates the entries of new tools and finds the entries they replace. Throws if a name is invalid or taken. */
function prepare(
  added: readonly Tool[],
  optionsOf: (tool: Tool) => RegisterOptions,
  holderOf: (name: string) => ToolEntry | undefined,
): readonly { readonly entry: ToolEntry; readonly replaced: ToolEntry | undefined }[] {
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

/** Returns the name and all aliases of a tool. Throws if one is invalid. */
function namesOf(tool: Tool): readonly string[] {
  const names = [tool.name, ...aliasesOf(tool).map((alias) => alias.name)];
  for (const name of names) assertName(name);
  return names;
}

function nameTaken(name: string, holder: ToolEntry | undefined): ToolError {
  const by = holder === undefined ? "this list" : `"${holder.tool.name}" of ${holder.tool.source}`;
  return new ToolError("INVALID_INPUT", `the name "${name}" is taken`, {
    hint: holder === undefined ? "twice in one list" : `by ${by}; pass replace: true to swap it`,
    details: { reason: "name_taken", holder: by },
  });
}

function createEntry(tool: Tool, options: RegisterOptions): ToolEntry {
  checkDefinition(tool);
  assertParameterAliases(tool);
  const { isUnchecked, hidden, secrets, shown } = applyPresets(tool, options.presets);
  const group = options.group ?? tool.group;
  const entry: ToolEntry = {
    tool: inGroup(tool, group),
    group,
    hidden,
    secrets,
    shown,
    validators: validatorsOf(tool, shown, options),
    mayRenameParameters: undefined,
    checkPresets: undefined,
  };
  if (isUnchecked) entry.checkPresets = () => checkPresets(entry, tool, options.presets);
  return entry;
}

async function checkPresets(
  entry: ToolEntry,
  tool: Tool,
  presets: RegisterOptions["presets"],
): Promise<void> {
  await createValidator(tool.input).prepare();
  const { hidden, shown } = applyPresets(tool, presets);
  Object.assign(entry, { hidden, shown, checkPresets: undefined });
}

/** Presets change the schema of the input only. */
function validatorsOf(tool: Tool, shown: Tool["input"], { validators }: RegisterOptions): ToolValidators {
  if (validators === undefined) return createValidators(shown, tool.output);
  return shown === tool.input ? validators : { ...validators, input: createValidator(shown) };
}

/** Creates the validators of a tool, which compile its schemas when they are first used. */
export function createValidators(input: Tool["input"], output: Tool["output"]): ToolValidators {
  return {
    input: createValidator(input),
    output: output === undefined ? undefined : createValidator(output, { coerce: false }),
  };
}

/** Loads what the validators of a tool need: a promise if that is not loaded yet. */
export function prepareValidators({ input, output }: ToolValidators): Promise<void> | undefined {
  const preparing = input.prepare();
  return preparing === undefined ? output?.prepare() : preparing.then(() => output?.prepare());
}

/** Returns the tool in the group that it was registered in, which is the one that rules see. */
function inGroup(tool: Tool, group: string | undefined): Tool {
  if (group === tool.group) return tool;
  return Object.create(tool, { group: { value: group, enumerable: true } }) as Tool;
}

function aliasesOf(tool: Tool): readonly Alias[] {
  return (tool.aliases ?? []).map((alias) => (typeof alias === "string" ? { name: alias } : alias));
}

/** Throws unless every parameter alias leads to a parameter and is not itself one. */
function assertParameterAliases(tool: Tool): void {
  const all = [tool.parameterAliases, ...aliasesOf(tool).map((alias) => alias.parameters)];
  if (all.every((aliases) => aliases === undefined)) return;
  const properties = propertiesOf(tool.input);
  for (const [alias, target] of all.flatMap((aliases) => Object.entries(aliases ?? {}))) {
    const item = readItemAlias(alias);
    const named = item === undefined ? properties : propertiesOf(itemsOf(properties[item.list]));
    if (Object.hasOwn(named, target) && !Object.hasOwn(named, item?.name ?? alias)) continue;
    throw new ToolError(
      "INVALID_INPUT",
      `tool "${tool.name}": invalid parameter alias ${alias} → ${target}`,
      { hint: "the target must be a parameter of the tool, and the alias must not be one" },
    );
  }
}

/** Returns the schema of the items of a list. */
function itemsOf(list: Json | undefined): JsonObject {
  const items = isObject(list) ? list["items"] : undefined;
  return isObject(items) ? items : {};
}

/** Adds all tools or none, creates the groups they name and learns their secrets. Emits no event. */
export function register(
  { registry, groups, masker }: Registrar,
  tools: readonly Tool[],
  optionsOf: (tool: Tool) => RegisterOptions,
): void {
  registry.add(tools, optionsOf);
  for (const { name } of tools) {
    const entry = registry.find(name)?.entry;
    if (entry?.group !== undefined && !groups.has(entry.group))
      groups.create(entry.group, { active: entry.tool.startsInactive !== true });
    for (const value of entry?.secrets ?? []) learn(value, masker.learn);
  }
}

/** Removes a tool and emits `tool.removed`. Returns undefined if there is no tool of that name. */
export function unregister({ registry, emit }: Registrar, name: string): ToolEntry | undefined {
  const removed = registry.remove(name);
  if (removed !== undefined) emit({ ...originOf(), type: "tool.removed", name, source: removed.tool.source });
  return removed;
}

export function emitAdded({ hasListeners, emit }: Registrar, { name, source }: Tool): void {
  if (hasListeners("tool.added")) emit({ ...originOf(), type: "tool.added", name, source });
}

/** Treats every text in a hidden value as a secret. */
function learn(value: unknown, remember: (secret: string) => void): void {
  if (typeof value === "string") remember(value);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) learn(part, remember);
}
