import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Content } from "../../core/content.ts";
import { attempt } from "../../util/async/attempt.ts";

/** Returns the content of a prompt for the agent. A linked file is named, so that the model reads it with its tools. */
export function fromBlocks(blocks: readonly ContentBlock[]): readonly Content[] {
  return blocks.map((block): Content => {
    switch (block.type) {
      case "text":
        return { type: "text", text: block.text };
      case "image":
      case "audio":
        return { type: block.type, data: block.data, mimeType: block.mimeType };
      case "resource_link":
        return { type: "text", text: `Linked: ${pathOf(block.uri)}` };
      default:
        return fromResource(block);
    }
  });
}

function fromResource({ resource }: EmbeddedResource): Content {
  const name = pathOf(resource.uri);
  if ("text" in resource) return { type: "text", text: `File ${name}\n${resource.text}` };
  const { blob: data, mimeType } = resource;
  const kind = mimeType ?? "application/octet-stream";
  return kind.startsWith("image/")
    ? { type: "image", data, mimeType: kind }
    : { type: "file", data, mimeType: kind, name };
}

/** Returns the path of a file's address, with a fragment such as a range of lines; any other address as it is. */
function pathOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  const [address = "", fragment] = uri.split("#");
  const path = attempt(() => fileURLToPath(address));
  return path === undefined ? uri : `${path}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** Returns the content of a message or an answer for the client. */
export function toBlock(content: Content): ContentBlock {
  switch (content.type) {
    case "text":
      return textBlock(content.text);
    case "file":
      return { type: "text", text: `[file ${content.name ?? ""} (${content.mimeType})]` };
    default:
      return { type: content.type, data: content.data, mimeType: content.mimeType };
  }
}

/** Returns a text as a block. */
export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

/** Returns a text as a part of a call. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: textBlock(text) };
}

/** Returns content as parts of a call. */
export function toCallContent(content: readonly Content[]): readonly ToolCallContent[] {
  return content.map((piece) => ({ type: "content", content: toBlock(piece) }));
}
