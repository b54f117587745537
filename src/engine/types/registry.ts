import type { Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import type { GroupState } from "../../core/session/active-tools.ts";
import type { SourceProblem, SourceState, ToolSource } from "../../core/source.ts";

/** Marks a preset value that the model may override. */
export const OVERRIDABLE: unique symbol = Symbol.for("toolwright.1.overridable");

/** A preset that is shown to the model as a default instead of being hidden. */
export interface OverridablePreset {
  readonly [OVERRIDABLE]: Json;
}

/** Marks a preset value with options. */
export const PRESET: unique symbol = Symbol.for("toolwright.1.preset");

/** A hidden preset that is not a secret, such as the name of a region. */
export interface PlainPreset {
  readonly [PRESET]: Json;
}

/** Preset values by parameter name. A plain value is hidden from the model, which cannot set it, and masked everywhere. */
export type Presets = Readonly<Record<string, Json | OverridablePreset | PlainPreset>>;

/** How tools are added. */
export interface AddOptions {
  /** The group of all these tools, in place of their own. One that does not exist is created, active. */
  readonly group?: string;
  /** For one tool, its presets; for a list, presets keyed by tool name. */
  readonly presets?: Presets | Readonly<Record<string, Presets>>;
  /** Replaces a tool of the same name instead of throwing. */
  readonly replace?: boolean;
}

export interface GroupOptions {
  readonly description?: string;
  /** Whether its tools can be called at first; default: true. */
  readonly active?: boolean;
  /** Only the host program or the user switches the group; tools cannot. */
  readonly locked?: boolean;
}

/** Groups of tools that are switched together. A session sees the engine's switches until it sets its own. */
export interface Groups {
  /** Creates a group. Throws if the name is taken. */
  create(name: string, options?: GroupOptions): void;
  /** Activates groups. Throws on an unknown name. */
  activate(names: string | readonly string[]): void;
  /** Deactivates groups: their tools are neither listed nor called. Throws on an unknown name. */
  deactivate(names: string | readonly string[]): void;
  /** Activates these single tools, besides those that were activated before. */
  allow(tools: readonly string[]): void;
  /** Activates these single tools of inactive groups, and no others. */
  allowOnly(tools: readonly string[]): void;
  /** Returns all groups. */
  list(): readonly GroupState[];
  /** Returns whether there is a group of this name. */
  has(name: string): boolean;
  /** Returns whether a tool of the group can be used; a tool without a group always can. */
  isActive(group: string | undefined, tool?: string): boolean;
}

/** How many tools a session sees at once. */
export interface ToolLimit {
  /** The maximum number of tools. */
  readonly tools: number;
  /** The maximum tokens, as estimated, of tools that are not built in and that the session has not activated. */
  readonly tokens: number;
  /** Returns false for a tool that the session may not call anyway. Default: it may call every tool. */
  readonly includes?: (name: string) => boolean;
}

export interface AddSourceOptions {
  /** Presets of the source's tools, keyed by tool name. */
  readonly presets?: Readonly<Record<string, Presets>>;
  /** Loads the source on first need instead of now: by a call of an unknown tool, by `settled` or by `refresh`. */
  readonly isLazy?: boolean;
  /** Reloads the source whenever it reports a change. Default: true. */
  readonly isWatched?: boolean;
}

/** What a refresh changed, by tool name, and which sources failed to load. A failed source keeps its tools. */
export interface RefreshOutcome {
  /** `failed` if a source could not be loaded. */
  readonly state: "complete" | "failed";
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The sources that could not be loaded. */
  readonly failures: readonly { readonly source: string; readonly error: Fault }[];
}

/** The sources of an engine's tools, besides tools added by hand. */
export interface Sources {
  /** Adds a source and starts to load it in the background. Throws if the name is taken. */
  add(source: ToolSource, options?: AddSourceOptions): void;
  /** Reloads one source, or all of them; running calls keep their tools. Rejects only for an unknown name. */
  refresh(name?: string): Promise<RefreshOutcome>;
  /** Returns everything that could not be loaded, and why; with the name of a tool, only why the source that would have it is not there. */
  problems(tool?: string): readonly SourceProblem[];
  /** Returns the loading state of one source, or of all sources together. */
  state(name?: string): SourceState;
  /**
   * Resolves when no source is loading: the list of tools is then complete. With a name, when there is such a tool or no loading source
   * can provide it. Never rejects.
   */
  settled(name?: string): Promise<void>;
  /** Returns the names of the sources that are loading. */
  loading(): readonly string[];
  /** Resolves when every source that is loading offers tools, which may be those of its last time. Never rejects. */
  offered(): Promise<void>;
  /** Returns the names of the sources that are loading and offer no tools yet. */
  missing(): readonly string[];
}
