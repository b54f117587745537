import { ToolError } from "../../../core/errors.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { TABLE, type Row } from "./table.ts";

/** The ways in which models write calls as text; docs/dialects.md has an example of each. */
export type DialectName = keyof typeof TABLE;

/** The names of all dialects; `auto` is not one of them. */
export const DIALECT_NAMES = Object.keys(TABLE) as readonly DialectName[];

/** A way in which models write calls as text. */
interface Dialect {
  /** The models that write it. */
  readonly models: string;
  /** What begins a call, separated by spaces. */
  readonly opens: string;
  /** How calls and results are written, in the notation of the table. */
  readonly call: string;
  readonly result: string;
}

/** Calls that begin without a marker of their own. */
type BareForm =
  /** `{"name": …, "arguments": …}`, or a list of these, on a line of its own. */
  | "json"
  /** `[tool(key=value)]` on a line of its own. */
  | "pythonic"
  /** The tool's name on the first line, or after `>>>`, and its JSON on the next. */
  | "named-line"
  /** `functools[…]`. */
  | "functools"
  /** `Action:` and `Action Input:`. */
  | "react"
  /** `[TOOL_CALLS]…`. */
  | "mistral"
  /** Messages with recipients: `<|channel|>commentary to=functions.tool<|message|>`. */
  | "header"
  /** `<tool><parameter>…</parameter></tool>`. */
  | "tool-tag";

/** What may begin a call. */
export interface Openings {
  /** Names of tags. */
  readonly tags: ReadonlySet<string>;
  /** Names of special tokens. */
  readonly tokens: ReadonlySet<string>;
  readonly bare: ReadonlySet<BareForm>;
  /** Which tags may be tools if no tools are listed: those with an underscore, or all. */
  readonly toolTags: "underscored" | "any";
}

/** Returns the dialect of that name. Throws INVALID_INPUT if there is none. */
export function dialectOf(name: DialectName): Dialect {
  const row: Row | undefined = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
  if (row === undefined)
    throw new ToolError("INVALID_INPUT", `unknown dialect "${name}"`, {
      hint: nearHint(name, ["native", "auto", ...DIALECT_NAMES], "docs/dialects.md lists all dialects"),
    });
  const [models, opens, call, result = "<tool_response>\n$result\n</tool_response>"] = row;
  if (call !== undefined) return { models, opens, call, result };
  return { ...dialectOf(opens.slice(1) as DialectName), models };
}

/** Returns whether a call in this dialect ends with its input, without a marker after it. */
export function isUnclosed(name: DialectName): boolean {
  return /(?:\$input|\$keywords\)|[\]}])(?:┊[^»]*)?»?\]?$/.test(dialectOf(name).call);
}

/** Computed once: every reply of a model that writes calls as text has a reader of its own. */
const openings = new Map<DialectName | "auto", Openings>();

/** Returns what may begin a call in this dialect, or in any. */
export function openingsOf(name: DialectName | "auto"): Openings {
  const known = openings.get(name) ?? readOpenings(name);
  openings.set(name, known);
  return known;
}

function readOpenings(name: DialectName | "auto"): Openings {
  const names = name === "auto" ? DIALECT_NAMES : [name];
  const words = new Set(names.flatMap((each) => dialectOf(each).opens.split(" ")));
  const matching = (pattern: RegExp) => [...words].flatMap((word) => pattern.exec(word)?.[1] ?? []);
  return {
    tags: new Set(matching(/^<(\w+)>$/)),
    tokens: new Set(matching(/^<\|([\w:]+)\|>$/)),
    bare: new Set(matching(/^([a-z-]+)$/) as BareForm[]),
    toolTags: name === "auto" ? "underscored" : "any",
  };
}
