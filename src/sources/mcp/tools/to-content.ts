import type { CallToolResult, ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";
import { Reply, type Content, type ResourceLink } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json } from "../../../core/json.ts";
import type { FindSecrets } from "../../../core/session/find-secrets.ts";
import { bothEnds } from "../../../secrets/masked-ends.ts";
import { textOf } from "../../../util/text/text-of.ts";

type ResourceContents = ReadResourceResult["contents"][number];

/** The longest message of a failed call. */
const MAX_FAILURE_BYTES = 8 * 1024;

/** Converts a result to content for the model and data for programs. Throws `TOOL_FAILED` if the server reports a failure. */
export function toReply({ content, structuredContent, isError }: CallToolResult, find?: FindSecrets): Reply {
  const data = structuredContent as Json | undefined;
  const parts = content.map(toContent);
  if (isError === true) throw failed(parts, data, find);
  if (parts.length > 0 || data === undefined) return new Reply(parts, data === undefined ? {} : { data });
  return new Reply(JSON.stringify(data), { data });
}

/** Converts one content block. A link stays a link; its target is read as a resource. */
export function toContent(block: ContentBlock): Content {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case "resource":
      return fromResource(block.resource);
    case "resource_link":
      return toLink(block);
    default:
      return { type: "text", text: JSON.stringify(block) };
  }
}

/** Converts a resource; anything other than text, images and audio becomes a file. */
export function fromResource(resource: ResourceContents): Content {
  const { uri, mimeType = "application/octet-stream" } = resource;
  if ("text" in resource) return { type: "text", text: resource.text };
  if (mimeType.startsWith("image/")) return { type: "image", data: resource.blob, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio", data: resource.blob, mimeType };
  return { type: "file", data: resource.blob, mimeType, name: uri };
}

function toLink({
  type: _type,
  ...link
}: Extract<ContentBlock, { readonly type: "resource_link" }>): Content {
  const { uri, name, description, mimeType } = link;
  const kind = mimeType === undefined ? "" : ` (${mimeType})`;
  const about = description === undefined ? "" : `: ${description}`;
  const text = `[resource ${name} ${uri}${kind}${about}]`;
  return { type: "text", text, link: link as unknown as ResourceLink };
}

function failed(parts: readonly Content[], data: Json | undefined, find: FindSecrets | undefined): ToolError {
  const text = bothEnds(textOf(parts).trim(), MAX_FAILURE_BYTES, find);
  return new ToolError("TOOL_FAILED", text === "" ? "the tool failed without a message" : text, {
    ...(isObject(data) && { details: data }),
  });
}
