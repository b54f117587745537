import type { InnerCall, Key, ToolContext } from "./context.ts";
import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Problem } from "./result.ts";
import type { Limits, Risk, ToolSpec } from "./spec.ts";

/** What a tool may return: a JSON value, a `Reply`, one piece of content, or an async iterable of these. */
export type ToolOutput = unknown;

/** The outcome of a schema library's own parse, after the JSON Schema check has passed. */
export type Parsed = { readonly value: unknown } | { readonly problems: readonly Problem[] };

/** Another name for a tool, with its own parameter names. */
export interface Alias {
  readonly name: string;
  /** The alias's parameter name → the tool's. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Values by name, for the spans and events of a call. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of the input of a call that the model is still writing. */
export interface InputPiece {
  /** The id that the call will have. */
  readonly callId: string;
  readonly session: string;
  /** What follows the pieces before it; all pieces of a call together are its JSON text. */
  readonly text: string;
}

/** A tool that can run. The optional members declare, before the run, what the run will do. */
export interface Tool<
  Input = JsonObject,
  Data = unknown,
  Given = unknown,
  Name extends string = string,
> extends ToolSpec {
  /** What models call it by. A provider that refuses the name is shown another one. */
  readonly name: Name;
  /** Never set: carries the types of the answer's data and of the input that a caller gives. */
  readonly types?: { readonly data: Data; readonly given: Given };
  /** Does the work, with an input that fits the schema. What it throws becomes the failure of the call. */
  run(input: Input, context: ToolContext): ToolOutput;
  /** Its answers hold untrusted text: the model gets them in a fence. */
  readonly isUntrusted?: boolean;
  /** Its answers are in a fence, but have no text from outside that the session does not have yet. */
  readonly repeatsSession?: boolean;
  /** False for a tool that is meant to return a credential: only events and the journal have its answers masked. Default: true. */
  readonly masks?: boolean;
  /** Calls of this tool in one message run at once, whatever its effects: what they do is ordered elsewhere. They wait for the calls before them, and later calls wait for them. */
  readonly runsTogether?: boolean;
  /** If the engine creates its group, the group is inactive at first. */
  readonly startsInactive?: boolean;
  /** Other names under which it can be called. */
  readonly aliases?: readonly (string | Alias)[];
  /** Parameter names that are accepted but never shown: alias → parameter. `LIST[].ALIAS` is a name in the objects of a list. */
  readonly parameterAliases?: Readonly<Record<string, string>>;
  /** Parameters that are filled from the context if neither the model nor a preset sets them. */
  readonly inject?: Readonly<Record<string, Key<unknown>>>;
  /** Context keys that the tool requires. */
  readonly needs?: readonly Key<unknown>[];
  /** A schema library's own parse; it may transform, and must return JSON. */
  parse?(input: JsonObject): Parsed | Promise<Parsed>;
  /** Checks beyond the schema, before policy sees the call. */
  check?(input: Input, context: ToolContext): readonly Problem[] | Promise<readonly Problem[]>;
  /**
   * Called before a person is asked about a call. Throws what the run would fail with, as far as that can be known without changing
   * anything; the call is answered with it. It must not reveal what the caller may not read: the call is not approved.
   * `mayRead`: the call touches only files, and reading them needs no approval.
   */
  rehearse?(input: Input, context: ToolContext, caller: { readonly mayRead: boolean }): void | Promise<void>;
  /** Returns the risk of this call. A risk above the tool's own, or an unknown one, fails the call: it does not run. */
  riskOf?(input: Input, context: ToolContext): Risk;
  /** Returns limits that the input sets; they override the tool's own. */
  limitsOf?(input: Input): Limits;
  /** Returns what this call would touch. An unknown kind, or a wrong member of a fact, fails the call: it does not run. */
  facts?(input: Input, context: ToolContext): readonly Fact[] | Promise<readonly Fact[]>;
  /** Returns the calls of other tools that the run makes: they are shown and approved together with this call. */
  calls?(input: Input): readonly InnerCall[];
  /**
   * Receives the JSON text of the input in pieces, while the model writes it: for previews. Nothing has been validated or approved, and the
   * call may never run. Called by agents only, and not by models that send no pieces. Must not throw; exceptions are dropped.
   */
  onInput?(piece: InputPiece): void;
  /** Returns the description that a model is shown, given the active tools. Default: `description`. */
  describe?(tools: readonly ToolSpec[]): string;
  /** Returns attributes for spans and events; truncated and masked. */
  attributes?(input: Input): Attributes;
}

/** A tool with any input: what `defineTool` returns, whatever the types of its schemas. */
export type AnyTool = Tool<never>;

/** What `engine.call` needs of a tool: its name, and the types of its data and input. */
export type ToolRef<Data = unknown, Given = unknown, Name extends string = string> = Pick<
  Tool<JsonObject, Data, Given, Name>,
  "name" | "types"
>;

/** Returns the name of a tool, then its aliases. */
export function namesOfTool({ name, aliases = [] }: Pick<Tool, "name" | "aliases">): readonly string[] {
  return [name, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name))];
}
