import type { Json, JsonObject } from "./json.ts";

/** One piece of what a model is shown. `data` of an image or file is base64. A text may stand for a link: who can follow one gets that instead. */
export type Content =
  | { readonly type: "text"; readonly text: string; readonly link?: ResourceLink }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "file"; readonly data: string; readonly mimeType: string; readonly name?: string };

/** Where a resource is, with all that MCP says of it. */
export interface ResourceLink extends JsonObject {
  readonly uri: string;
  readonly name: string;
}

/** Says what a cut left out: how much there was, and where the whole is kept. */
export interface Truncated {
  readonly shape: Shape;
  /** Characters for text, items for lists. */
  readonly total: number;
  /** True where the tool stopped counting: there are at least `total`. */
  readonly atLeast?: boolean;
  readonly artifactId?: string;
}

/** How a long answer is cut: `file` and `text` keep the head, `log` the tail, the others the first items. */
export type Shape = "text" | "file" | "list" | "matches" | "log";

export interface ReplyParts {
  /** For programs; the model never sees it. */
  readonly data?: Json;
  /** For shapes `list` and `matches`: one line each, cut by count; joined, they are the text. */
  readonly items?: readonly string[];
  /** Set when the tool has already cut its answer and kept the whole elsewhere. */
  readonly truncated?: Truncated;
}

/** A tool's answer with two faces: content for the model, data for programs. */
export class Reply {
  readonly content: readonly Content[];
  readonly data: Json | undefined;
  readonly items: readonly string[] | undefined;
  readonly truncated: Truncated | undefined;

  constructor(content: string | readonly Content[], parts: ReplyParts = {}) {
    this.content = typeof content === "string" ? [{ type: "text", text: content }] : content;
    this.data = parts.data;
    this.items = parts.items;
    this.truncated = parts.truncated;
  }
}

/** An image as a tool's answer. */
export function image(data: Uint8Array, mimeType: string): Content {
  return { type: "image", data: Buffer.from(data).toString("base64"), mimeType };
}
