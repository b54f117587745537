import { Reply, type Content } from "../../core/content.ts";
import { isObject, type Json } from "../../core/json.ts";

/**
 * Returns what a program printed as content, if it is a result as MCP defines it with an image or audio: `content`, with or without
 * `structuredContent`, and nothing else. Any other value stays data.
 */
export function withContent(value: Json): Json | Reply {
  if (!isObject(value)) return value;
  const { content: blocks, structuredContent: data, ...rest } = value;
  if (!Array.isArray(blocks) || Object.keys(rest).length > 0) return value;
  const content = blocks.flatMap((block) => contentOf(block) ?? []);
  const hasMedia = content.some(({ type }) => type !== "text");
  if (!hasMedia || content.length < blocks.length) return value;
  return new Reply(content, data === undefined ? {} : { data });
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function contentOf(block: Json): Content | undefined {
  if (!isObject(block)) return undefined;
  const { type, text, data, mimeType } = block;
  if (type === "text" && typeof text === "string") return { type, text };
  if ((type !== "image" && type !== "audio") || typeof data !== "string" || typeof mimeType !== "string")
    return undefined;
  return mimeType.startsWith(`${type}/`) && BASE64.test(data) ? { type, data, mimeType } : undefined;
}
