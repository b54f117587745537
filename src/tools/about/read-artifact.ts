import { ArtifactsKey, type Artifacts } from "../../core/store/artifacts.ts";
import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { searchArtifact } from "./search-artifact.ts";
import { unknownArtifact } from "./unknown-artifact.ts";

/** Less than an answer may have, so that the part is not cut again. */
const MAX_LENGTH = 9 * 1024;

const input = object({
  id: string("The id from the truncation notice", { min: 1 }),
  start: optional(integer("The first byte to read; default: 0", { min: 0 })),
  length: optional(integer(`The number of bytes; default: ${SHOWN_TEXT_BYTES}`, { min: 1, max: MAX_LENGTH })),
  pattern: optional(
    string("Instead of start and length: a regular expression (Rust syntax); returns matching lines", {
      min: 1,
    }),
  ),
});

/** Reads the full text of a truncated result. */
export function readArtifact(): Tool {
  return defineTool({
    name: "read_artifact",
    description:
      "Reads the full text of a truncated result, by the id in its notice: a part of at most " +
      `${MAX_LENGTH / 1024} KB from start, or with pattern the matching lines.`,
    input,
    risk: "low",
    place: "host",
    source: "built-in",
    group: "about",
    effects: "none",
    needs: [ArtifactsKey],
    // The source of the text is not known here.
    isUntrusted: true,
    check: ({ start, length, pattern }) =>
      pattern === undefined || (start === undefined && length === undefined)
        ? []
        : [{ kind: "value", path: "/pattern", expected: "either pattern or start and length", got: "both" }],
    attributes: ({ id }) => ({ id }),
    async run({ id, start = 0, length = SHOWN_TEXT_BYTES, pattern }, context) {
      const artifacts = context.get(ArtifactsKey);
      if (pattern !== undefined) return searchArtifact(artifacts, id, pattern, context.signal);
      return read(artifacts, id, start, length);
    },
  });
}

async function read(artifacts: Artifacts, id: string, start: number, length: number): Promise<Reply> {
  const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
  if (info === undefined || slice === undefined) throw unknownArtifact(id);
  const { text, end, size } = slice;
  const data = { id, start: slice.start, end, size };
  if (text === "")
    return new Reply(`[start=${start} is past the end: the artifact has ${size} bytes]`, { data });
  const rest = end < size ? `; continue with start=${end}` : "";
  const dropped = info.dropped > 0 ? `; ${info.dropped} bytes of the middle were not stored` : "";
  return new Reply(`[bytes ${slice.start} to ${end} of ${size}${rest}${dropped}]\n${text}`, { data });
}
