import type { Json, JsonObject } from "./json.ts";

/** One piece of content for a model. `data` is base64. A text may stand for a link: clients that support links get the link instead. */
export type Content =
  | { readonly type: "text"; readonly text: string; readonly link?: ResourceLink }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "file"; readonly data: string; readonly mimeType: string; readonly name?: string };

/** A link to a resource, with all fields that MCP defines for it. */
export interface ResourceLink extends JsonObject {
  readonly uri: string;
  readonly name: string;
}

/** Describes a truncation: the whole size, and where the whole is stored. */
export interface Truncated {
  readonly shape: Shape;
  /** Characters for text, items for lists. */
  readonly total: number;
  /** True if the tool stopped counting: there are at least `total`. */
  readonly atLeast?: boolean;
  /** What `read_artifact` takes to read the whole; absent if the whole was not stored. */
  readonly artifactId?: string;
}

export const SHAPES = ["text", "file", "list", "matches", "log"] as const;
/** How a long answer is truncated: `file` and `text` keep the head, `log` the tail, the others the first items. */
export type Shape = (typeof SHAPES)[number];

/** What a reply has besides its content. */
export interface ReplyParts {
  /** For programs; never shown to the model. */
  readonly data?: Json;
  /** For shapes `list` and `matches`: one line each, truncated by count; joined, they are the text. */
  readonly items?: readonly string[];
  /** Set if the tool has truncated its answer itself and stored the whole elsewhere. */
  readonly truncated?: Truncated;
  /** Set if the tool has done its work in a sandbox of its own. */
  readonly place?: "sandbox" | undefined;
}

/** Marks a Reply of any copy of this package. */
const REPLY = Symbol.for("toolwright.1.reply");

/** A tool's answer: content for the model, data for programs. */
export class Reply {
  static {
    Object.defineProperty(Reply.prototype, REPLY, { value: true });
  }

  /** True for a Reply of another copy of this package too: a package of tools may bring its own. */
  static [Symbol.hasInstance](value: unknown): boolean {
    if (this !== Reply) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && REPLY in value;
  }

  static get name(): string {
    // The bundle has short names. A property that is defined later would make the class slow.
    return "Reply";
  }

  readonly content: readonly Content[];
  /** For programs, in `result.data`; the model is not shown it. */
  readonly data: Json | undefined;
  /** The items of `list` and `matches`, which are truncated by count. */
  readonly items: readonly string[] | undefined;
  readonly truncated: Truncated | undefined;
  readonly place: "sandbox" | undefined;

  constructor(content: string | readonly Content[], parts: ReplyParts = {}) {
    this.content = typeof content === "string" ? [{ type: "text", text: content }] : content;
    this.data = parts.data;
    this.items = parts.items;
    this.truncated = parts.truncated;
    this.place = parts.place;
  }
}

/** Creates an image as a tool's answer. */
export function image(data: Uint8Array, mimeType: string): Content {
  return { type: "image", data: Buffer.from(data).toString("base64"), mimeType };
}
