import type { Artifacts } from "../../core/store/artifacts.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { KEPT_TEXT_BYTES } from "../shared/answer-limits.ts";
import { searchArtifact } from "./search-artifact.ts";
import { unknownArtifact } from "./unknown-artifact.ts";

/** Below what an answer may have, so that what is read back is not cut again. */
const MAX_LENGTH = 9 * 1024;

const input = object({
  id: string("The id from the notice", { min: 1 }),
  start: optional(integer("The first byte to read; 0 if left out", { min: 0 })),
  length: optional(integer(`How many bytes; ${KEPT_TEXT_BYTES} if left out`, { min: 1, max: MAX_LENGTH })),
  pattern: optional(string("Instead: a regular expression (Rust syntax) to find lines by", { min: 1 })),
});

/** Reads back what an answer had to cut. */
export function readArtifact(): Tool {
  return defineTool({
    name: "read_artifact",
    description:
      "Reads back what an answer had to cut, by the id in its notice: a part of at most " +
      `${MAX_LENGTH / 1024} KB from start, or with pattern the lines that match.`,
    input,
    risk: "low",
    place: "host",
    source: "built-in",
    group: "about",
    effects: "none",
    needs: [ArtifactsKey],
    // Whose text it is that was cut is not known here.
    isUntrusted: true,
    check: ({ start, length, pattern }) =>
      pattern === undefined || (start === undefined && length === undefined)
        ? []
        : [{ kind: "value", path: "/pattern", expected: "either pattern or start and length", got: "both" }],
    attributes: ({ id }) => ({ id }),
    async run({ id, start = 0, length = KEPT_TEXT_BYTES, pattern }, context) {
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
    return new Reply(`[there is nothing from byte ${start} on: it has ${size} bytes]`, { data });
  const rest = end < size ? `; go on with start=${end}` : "";
  const dropped = info.dropped > 0 ? `; ${info.dropped} bytes of the middle were not kept` : "";
  return new Reply(`[bytes ${slice.start} to ${end} of ${size}${rest}${dropped}]\n${text}`, { data });
}
