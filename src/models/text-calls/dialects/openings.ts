/** Calls that begin without a marker of their own. */
export type BareForm =
  /** `{"name": …, "arguments": …}`, or a list of these, on a line of its own. */
  | "json"
  /** `[tool(key=value)]` on a line of its own. */
  | "pythonic"
  /** The tool's name on the first line, or behind `>>>`, and its JSON on the next. */
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
  /** Any tag with an underscore, or of any name, may be a tool where no list of tools says otherwise. */
  readonly toolTags: "none" | "underscored" | "any";
}
