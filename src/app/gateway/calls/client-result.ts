import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Success, ToolResult } from "../../../core/result.ts";
import { howToRead } from "../../../engine/answer/truncate.ts";
import { toMcpResult } from "../../../formats/mcp.ts";
import type { GivenResult } from "../../../sources/mcp/tools/call-tool.ts";
import { toReply } from "../../../sources/mcp/tools/to-content.ts";
import { copyJson } from "../../../util/json/copy-json.ts";
import { headOf } from "../../../util/text/text-ends.ts";
import { textOf } from "../../../util/text/text-of.ts";
import type { ClientAnswer, ClientFace } from "../types/gateway-types.ts";

type Mask = (text: string, name?: string) => string;

/**
 * Returns the result of `tools/call`. What an upstream server sent is passed on as it came, with secrets masked. Structured content of
 * other tools is sent if an output schema declares it, or if it holds the whole answer, because some clients show nothing else.
 */
export function toClientResult(
  answer: ClientAnswer,
  given: GivenResult | undefined,
  face: ClientFace & { readonly hasOutput?: boolean },
  mask: Mask,
): JsonObject {
  const { result } = answer;
  if (given !== undefined && isFromServer(result, given)) return passOn(answer, given, face, mask);
  const { structuredContent, ...visibleResult } = toMcpResult(result, { hasLinks: face.hasLinks });
  const isSent = structuredContent !== undefined && result.ok && sendsData(result, face);
  return withLink(answer, face, { ...visibleResult, ...(isSent && { structuredContent }) });
}

/** Returns false if the engine, or a hook, replaced what the server sent. */
function isFromServer(result: ToolResult, given: GivenResult): boolean {
  const isWhole = result.ok || (result.error.code === "TOOL_FAILED" && given.result.isError === true);
  return isWhole && result.meta.source.startsWith("mcp:");
}

function passOn(answer: ClientAnswer, given: GivenResult, face: ClientFace, mask: Mask): JsonObject {
  const { result: sent } = given;
  const { structuredContent, content, ...rest } = sent;
  const limit = Math.min(face.maxResultBytes ?? Infinity, given.maxResultBytes ?? Infinity);
  const notes = notesOf(answer.result, sent);
  const text = answer.result.meta.truncated === undefined ? "" : textOf(toReply(sent).content);
  if (Buffer.byteLength(text) > limit) {
    const textHead = headOf(mask(text), limit);
    const read = howToRead(answer.result.meta.truncated?.artifactId);
    const notice = `[truncated: the first ${textHead.length} of ${text.length} characters shown; ${read}]`;
    const others = content.filter(({ type }) => type !== "text").map((one) => toBlock(one, face, mask));
    const blocks = [toText(textHead), toText(notice), ...others, ...notes];
    return withLink(answer, face, { ...masked(rest, mask), content: blocks });
  }
  const data = face.structuredContent === "never" ? undefined : structuredContent;
  return {
    ...masked(rest, mask),
    content: [...content.map((one) => toBlock(one, face, mask)), ...notes],
    ...(data !== undefined && { structuredContent: copyJson(data, undefined, mask) }),
  };
}

/** Returns what hooks added after the pieces of the server. */
function notesOf({ ok, content, meta }: ToolResult, sent: CallToolResult): readonly JsonObject[] {
  const isCut = meta.truncated !== undefined;
  if (ok && !isCut && content.length <= sent.content.length) return [];
  const count = !ok
    ? 1
    : isCut
      ? 2 + toReply(sent).content.filter(({ type }) => type !== "text").length
      : toReply(sent).content.length;
  return content.slice(count).flatMap((one) => (one.type === "text" ? [toText(one.text)] : []));
}

function toBlock(block: ContentBlock, { hasLinks }: ClientFace, mask: Mask): JsonObject {
  if (block.type === "resource_link" && !hasLinks)
    return toText(mask(textOf(toReply({ content: [block] }).content)));
  // Bytes are not searched for secrets.
  const isBytes = "data" in block || (block.type === "resource" && "blob" in block.resource);
  return isBytes ? (block as unknown as JsonObject) : masked(block, mask);
}

function masked(value: object, mask: Mask): JsonObject {
  return copyJson(value, undefined, mask) as JsonObject;
}

function toText(text: string): JsonObject {
  return { type: "text", text };
}

function withLink({ result, link }: ClientAnswer, { hasLinks }: ClientFace, shown: JsonObject): JsonObject {
  const one = result.meta.truncated === undefined ? undefined : link();
  const { content } = shown;
  return one === undefined || !hasLinks || !Array.isArray(content)
    ? shown
    : { ...shown, content: [...(content as readonly Json[]), one] };
}

function sendsData(
  { content, data, meta }: Success,
  { structuredContent = "given", hasOutput }: ClientFace & { readonly hasOutput?: boolean },
): boolean {
  if (hasOutput === true && structuredContent === "given") return true;
  if (structuredContent !== "given") return structuredContent === "always";
  if (meta.truncated !== undefined || data === undefined) return false;
  return content.every(
    (piece) => piece.type === "text" && piece.link === undefined && holds(data, piece.text.trim()),
  );
}

/** Returns whether a text is the JSON of the data, or part of a text in it. */
function holds(data: Json, text: string): boolean {
  return text === JSON.stringify(data) || textsIn(data).some((one) => one.includes(text)) || text === "";
}

function textsIn(data: Json): readonly string[] {
  if (typeof data === "string") return [data];
  if (Array.isArray(data)) return (data as readonly Json[]).flatMap(textsIn);
  return isObject(data) ? Object.values(data).flatMap(textsIn) : [];
}
