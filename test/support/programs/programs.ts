import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { childEnvironment } from "../../../src/system/process/environment.ts";
import { createExternalSource, type ExternalOptions } from "../../../src/sources/external/source.ts";
import { engineOf } from "../engines/sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Writes an executable file and returns its path. */
export function writeProgram(folder: string, fileName: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, fileName);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Returns a tool in sh that prints its schema with --schema, and else runs the body with the input on standard input. */
export function shellTool(schema: Json, body: string): string {
  return `#!/bin/sh
if [ "$1" = --schema ]; then
cat <<'END_OF_SCHEMA'
${typeof schema === "string" ? schema : JSON.stringify(schema)}
END_OF_SCHEMA
exit 0
fi
${body}
`;
}

/** A schema that accepts any input. */
export function schemaOf(name: string, more: JsonObject = {}): JsonObject {
  return { name, description: "For a test.", parameters: {}, ...more };
}

export interface ExternalEngine {
  readonly engine: Engine;
  /** The folder of the tools, in the workspace. */
  readonly tools: string;
  readonly root: string;
}

/** Creates an engine with one folder of external tools, given by file name and text; everything is allowed. */
export async function externalEngine(
  t: TestContext,
  programs: Readonly<Record<string, string>>,
  options: Partial<ExternalOptions> = {},
): Promise<ExternalEngine> {
  const root = temporaryFolder(t);
  const tools = join(root, "tools");
  for (const [name, text] of Object.entries(programs)) writeProgram(tools, name, text);
  const engine = engineOf(t);
  const environment = childEnvironment(process.env);
  engine.sources.add(
    createExternalSource({ directories: [{ path: tools }], cwd: root, environment, ...options }),
    { isWatched: false },
  );
  await engine.sources.settled();
  return { engine, tools, root };
}
