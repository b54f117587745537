import type { Content, ResourceLink } from "../../core/content.ts";
import { Reply } from "../../core/content.ts";
import { isErrorCode } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { cutList, cutOf, cutText, shapeOf } from "./cut.ts";
import { fence, isFenced } from "./fence.ts";
import { maskJson } from "../../util/json/mask-json.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import { sanitize, sanitizeJson } from "../../util/text/sanitize.ts";
import { fits, shortenLists, shrinkJson } from "./truncate.ts";
import { createValidator, describeProblems } from "../../schema/validate.ts";
import { textOf } from "../../util/text/text-of.ts";

/** Station: turns what the tool returned into content for the model and data for programs: JSON, clean, masked, cut. */
export function format(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { output } = passage;
  if (output === undefined) return checkOutput(passage, undefined);
  if (typeof output === "string") return formatText(passage, output);
  if (output instanceof Reply) return formatReply(passage, output);
  if (isContent(output)) return formatReply(passage, new Reply([output]));
  return formatJson(passage, output);
}

function formatText(passage: Passage, output: string): StationOutcome | Promise<StationOutcome> {
  const fault = checkOutput(passage, output);
  if (fault !== undefined) return fault;
  const text = cleanText(passage, output);
  const { over } = cutOf(passage);
  if (fits(text, over) && shapeOf(passage) !== "list" && shapeOf(passage) !== "matches") {
    passage.content = [shown(passage, text)];
    return undefined;
  }
  return formatReply(passage, new Reply(output));
}

function formatJson(passage: Passage, output: unknown): StationOutcome | Promise<StationOutcome> {
  const { line } = passage;
  const copy = copyJson(output, "INVALID_OUTPUT");
  const own = ownError(copy);
  if (own !== undefined) return own;
  const fault = checkOutput(passage, copy);
  if (fault !== undefined) return fault;
  const { data, text } = maskJson(copy, line.masker);
  passage.data = data;
  passage.content = [shown(passage, sanitizeJson(text))];
  return fits(text, cutOf(passage).over) ? undefined : cutJson(passage, data, text);
}

/** JSON that is too long stays JSON: a smaller value, and the whole as an artifact. */
async function cutJson(passage: Passage, data: Json, text: string): Promise<undefined> {
  const { line } = passage;
  const shape = shapeOf(passage);
  const byItems = shape === "list" || shape === "matches";
  const shorter = byItems ? shortenLists(data, line.cuts[shape]) : data;
  const kept = shrinkJson(shorter, cutOf(passage).keep);
  const { notice, truncated } = await cutText(passage, text, { shown: JSON.stringify(kept) });
  passage.data = kept;
  passage.truncated = truncated;
  passage.content = [shown(passage, sanitizeJson(JSON.stringify(kept))), { type: "text", text: notice }];
}

function formatReply(passage: Passage, reply: Reply): StationOutcome | Promise<StationOutcome> {
  const data = reply.data === undefined ? undefined : copyJson(reply.data, "INVALID_OUTPUT");
  const fault = checkOutput(passage, data);
  if (fault !== undefined) return fault;
  passage.truncated = reply.truncated;
  passage.data = data === undefined ? undefined : maskJson(cutData(passage, data), passage.line.masker).data;
  const shape = shapeOf(passage);
  if (reply.items !== undefined || shape === "list" || shape === "matches")
    return formatItems(passage, reply.items ?? textOf(reply.content).split("\n"), reply);
  const text = cleanText(passage, textOf(reply.content));
  if (!fits(text, cutOf(passage).over)) return cutReply(passage, reply, text);
  passage.content = reply.content.map((one, _index, { length }) => {
    if (one.type !== "text") return one;
    const clean = shown(passage, length === 1 ? text : cleanText(passage, one.text));
    return one.link === undefined ? clean : { ...clean, link: cleanLink(passage, one.link) };
  });
  return undefined;
}

function cleanLink(passage: Passage, link: ResourceLink): ResourceLink {
  return copyJson(link, "INVALID_OUTPUT", (text) => cleanText(passage, text)) as ResourceLink;
}

/** Cleaned once it is cut: of a hundred thousand names a few hundred are shown. */
async function formatItems(passage: Passage, items: readonly string[], reply: Reply): Promise<undefined> {
  const content = await cutList(passage, items, reply);
  // The first is what the tool said, the second our notice.
  passage.content = content.map((one, index) => {
    if (one.type !== "text") return one;
    const text = cleanText(passage, one.text);
    return index === 0 ? shown(passage, text) : { type: "text", text };
  });
}

/** Its texts are cut together; pictures and files pass as they are. */
async function cutReply(passage: Passage, reply: Reply, text: string): Promise<undefined> {
  const { shown: part, notice, truncated } = await cutText(passage, text, { already: reply.truncated });
  const others = reply.content.filter((one) => one.type !== "text");
  passage.truncated = truncated;
  passage.content = [shown(passage, part), { type: "text", text: notice }, ...others];
}

/** A text as the model gets it. An envelope is fenced as a whole, later. */
function shown(passage: Passage, text: string): Content {
  const isBare = text === "" || passage.line.modelText === "envelope" || !isFenced(passage);
  return { type: "text", text: isBare ? text : fence(text, given(passage.entry, "tool").tool.source) };
}

/** Data obeys the same caps as the text. */
function cutData(passage: Passage, data: Json): Json {
  const shape = shapeOf(passage);
  if (shape === "list" || shape === "matches") return shortenLists(data, passage.line.cuts[shape]);
  const { over, keep } = cutOf(passage);
  return fits(JSON.stringify(data), over) ? data : shrinkJson(data, keep, shape === "log");
}

/** A tool's own error: a non-empty string under `error`, at the top. */
function ownError(data: Json): Fault | undefined {
  if (!isObject(data) || !Object.hasOwn(data, "error")) return undefined;
  const { error, error_code: toolCode } = data;
  if (typeof error !== "string" || error === "") return undefined;
  const code = isErrorCode(toolCode) ? toolCode : "TOOL_FAILED";
  return { code, message: error, details: typeof toolCode === "string" ? { ...data, toolCode } : data };
}

function checkOutput(passage: Passage, data: Json | undefined): Fault | undefined {
  const entry = given(passage.entry, "tool");
  if (entry.tool.output === undefined) return undefined;
  entry.output ??= createValidator(entry.tool.output, { coerce: false });
  const checked = entry.output.check(data ?? null);
  if (checked.ok) return undefined;
  const why = "unusable" in checked ? checked.unusable : describeProblems(checked.problems);
  return {
    code: "INVALID_OUTPUT",
    message: `the answer of "${entry.tool.name}" does not fit its output schema: ${why}`,
  };
}

function cleanText({ line }: Passage, text: string): string {
  return line.masker.text(sanitize(text));
}

function isContent(value: unknown): value is Content {
  if (!isObject(value)) return false;
  const { type } = value;
  const carriesData = type === "image" || type === "audio" || type === "file";
  return carriesData && typeof value["data"] === "string" && typeof value["mimeType"] === "string";
}
