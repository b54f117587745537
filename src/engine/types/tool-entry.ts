import type { Json, JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Validator } from "../../json-schema/shared/types.ts";
import type { ProviderFormat } from "../../formats/provider-shapes.ts";
import type { ToolNames } from "../../formats/tool-names.ts";
import type { Groups, Presets, ToolLimit } from "./registry.ts";

/** The validators of a tool: of its input, and of its output if that has a schema. */
export interface ToolValidators {
  readonly input: Validator;
  readonly output: Validator | undefined;
}

/** A registered tool and what the engine derived from it. */
export interface ToolEntry {
  readonly tool: Tool;
  readonly group: string | undefined;
  /** Preset values that the model neither sees nor sets. */
  hidden: JsonObject;
  /** Checks presets that needed a validator that was not loaded, and throws if one does not match. Undefined if all are checked. */
  checkPresets: (() => Promise<void>) | undefined;
  /** Those of them that are masked wherever they appear. */
  readonly secrets: readonly Json[];
  /** The schema that the model is shown and that its input is validated against. */
  shown: JsonObject;
  readonly validators: ToolValidators;
  /** Whether a provider may be shown other parameter names; computed by the first call. */
  mayRenameParameters: boolean | undefined;
}

/** The tool behind a name or alias, with the parameter aliases that hold under that name. */
export interface FoundTool {
  readonly entry: ToolEntry;
  readonly parameterAliases: Readonly<Record<string, string>> | undefined;
}

export interface RegisterOptions {
  readonly group?: string;
  readonly presets?: Presets;
  readonly replace?: boolean;
  /** Validators of the tool's own schemas that exist already. */
  readonly validators?: ToolValidators;
}

/** All tools by name and alias. */
export interface Registry {
  /** Adds all tools, or throws and adds none if a name is invalid or taken. */
  add(tools: readonly Tool[], optionsOf: (tool: Tool) => RegisterOptions): void;
  remove(name: string): ToolEntry | undefined;
  find(name: string): FoundTool | undefined;
  /** Returns the entries in the order in which they were added. */
  entries(): Iterable<ToolEntry>;
  /** Moves a tool to the end of the order. */
  moveToEnd(name: string): void;
  /** Returns the names a provider is shown, computed over all tools, active or not, so that a name never changes its meaning. */
  names(format: ProviderFormat): ToolNames;
  /** Changes with every modification. */
  readonly version: number;
}

/** Groups, and what was chosen of them. */
export interface SwitchedGroups extends Groups {
  /** Returns whether the tool or its group was activated by name, not only active from the start. */
  isChosen(group: string | undefined, tool?: string): boolean;
  /** Returns a function that sets all switches as they are now. */
  snapshot(): () => void;
  /** Changes with every switch. */
  readonly version: number;
}

/** The active tools that a session sees, which its limit can reduce; the others are found with search_tools. */
export interface ToolWindow {
  /** Sets the limit; undefined removes it. */
  setLimit(limit: ToolLimit | undefined): void;
  /** Returns true for an active tool that the limit leaves out. */
  hides(name: string): boolean;
  /** Returns true if the session needs this tool to find those that the limit leaves out. */
  demands(name: string): boolean;
  /** Returns false for a tool that the session may not call anyway. */
  includes(name: string): boolean;
  /** Throws if the limit has no room for these tools, besides those that it shows, or instead of them. */
  checkRoom(tools: readonly ToolEntry[], options: { readonly replaces: boolean }): void;
  /** Sorts tools in the order in which the session has first seen them, so that a new one is the last. */
  inOrder(entries: readonly ToolEntry[]): readonly ToolEntry[];
  /** Changes with every modification of the tools that the session may call. */
  readonly version: number;
}
