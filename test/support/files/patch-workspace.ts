import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Reply } from "../../../src/core/content.ts";
import { ToolError } from "../../../src/core/errors.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { applyPatch } from "../../../src/tools/files/patch/apply-patch.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runTool } from "../engines/tool-context.ts";

export type Files = Readonly<Record<string, string>>;

/** A folder with these files, and the tool that patches there. */
export function workspace(
  context: TestContext,
  files: Files,
): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, tool: applyPatch({ root }) };
}

/** Applies a patch as the engine would: what `check` finds is an error too. */
export async function applyTo(tool: Tool, patch: string): Promise<Reply> {
  const problems = (await tool.check?.({ patch }, undefined as never)) ?? [];
  if (problems[0] !== undefined) throw new ToolError("INVALID_INPUT", JSON.stringify(problems[0]));
  return runTool(tool, { patch });
}
