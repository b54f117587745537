import type { Key, ToolContext } from "./context.ts";
import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Problem } from "./result.ts";
import type { Limits, Risk, ToolSpec } from "./spec.ts";

/** What a tool may return: any JSON value, a `Reply`, one piece of content, or an async iterable of such. */
export type ToolOutput = unknown;

/** The outcome of a schema library's own parse, after JSON Schema has passed. */
export type Parsed = { readonly value: unknown } | { readonly problems: readonly Problem[] };

/** Another name for a tool, with that name's own parameter names. */
export interface Alias {
  readonly name: string;
  /** The alias's parameter name → the tool's. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A tool that can be run. Everything but `run` is optional and declares, before the run, what the run will do. */
export interface Tool<Input = JsonObject> extends ToolSpec {
  run(input: Input, context: ToolContext): ToolOutput;
  /** What it says was written by strangers: a model gets it in a fence. */
  readonly isUntrusted?: boolean;
  readonly aliases?: readonly (string | Alias)[];
  /** Parameter names that are accepted but never shown: alias → parameter. */
  readonly parameterAliases?: Readonly<Record<string, string>>;
  /** Parameters filled from the context where neither the model nor a preset gives them. */
  readonly inject?: Readonly<Record<string, Key<unknown>>>;
  /** Context keys without which it cannot run. */
  readonly needs?: readonly Key<unknown>[];
  /** A schema library's own parse; it may transform, and must give JSON. */
  parse?(input: JsonObject): Parsed | Promise<Parsed>;
  /** Checks beyond the schema, before policy sees the call. */
  check?(input: Input, context: ToolContext): readonly Problem[] | Promise<readonly Problem[]>;
  /** The risk of this very call, never above the tool's own. */
  riskOf?(input: Input, context: ToolContext): Risk;
  /** Limits that the input asks for, over the tool's own. */
  limitsOf?(input: Input): Limits;
  /** What this call would touch. */
  facts?(input: Input, context: ToolContext): readonly Fact[] | Promise<readonly Fact[]>;
  /** For spans and events; capped and masked. */
  attributes?(input: Input): Attributes;
}
