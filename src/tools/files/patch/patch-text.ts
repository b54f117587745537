import { ToolError } from "../../../core/errors.ts";
import type { FilePatch } from "./model.ts";
import { createPatchLines } from "./lines.ts";
import { isEnvelope, parseEnvelope } from "./parse-envelope.ts";
import { parseUnified } from "./parse-unified.ts";

const HEREDOC = /^\s*<<-?\s*(['"]?)(\w+)\1\s*\n([\s\S]*?)\n\s*\2\s*$/;
const FENCE = /^\s*```[\w-]*\n([\s\S]*?)\n```\s*$/;

/** Parses a patch of either form. Throws `INVALID_INPUT` with the line; never reads a file. */
export function parsePatch(text: string): readonly FilePatch[] {
  const patch = HEREDOC.exec(text)?.[3] ?? FENCE.exec(text)?.[1] ?? text;
  const patches = isEnvelope(patch)
    ? parseEnvelope(createPatchLines(patch.trim()))
    : parseUnified(createPatchLines(patch));
  if (patches.length > 0) return patches;
  throw new ToolError("INVALID_INPUT", "the patch names no file", {
    hint: "give a unified diff with --- and +++ lines, or the form *** Begin Patch … *** End Patch",
  });
}
