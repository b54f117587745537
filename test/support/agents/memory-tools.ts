import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Collections } from "../../../src/core/store/collection.ts";
import { createMemoryCollections } from "../../../src/util/json/memory-collections.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Failure, ToolResult } from "../../../src/core/result.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { memoryTools } from "../../../src/tools/memory/family.ts";
import { reportTools } from "../../../src/tools/reports/family.ts";
import { call, textOf } from "../engines/engine.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** An engine with the memory tools, and short ways to call them in a session. */
export interface MemoryTools {
  readonly root: string;
  readonly collections: Collections;
  readonly engine: Engine;
  readonly run: (name: string, input?: JsonObject, session?: string) => Promise<ToolResult>;
  /** Returns the text of an answer; throws if the call failed. */
  readonly text: (name: string, input?: JsonObject, session?: string) => Promise<string>;
  /** Returns the data of an answer; throws if the call failed. */
  readonly data: (name: string, input?: JsonObject, session?: string) => Promise<JsonObject>;
  /** Returns the error of an answer; throws if the call succeeded. */
  readonly fault: (name: string, input?: JsonObject, session?: string) => Promise<Failure["error"]>;
  readonly close: () => Promise<void>;
}

export interface MemoryToolsOptions extends Pick<EngineOptions, "context"> {
  readonly root?: string;
  readonly collections?: Collections;
}

export function openMemoryTools(test: TestContext, options: MemoryToolsOptions = {}): MemoryTools {
  const { root = temporaryFolder(test), collections = createMemoryCollections(), ...rest } = options;
  const given = {
    root,
    collections,
    checkpointsFolder: join(root, ".kept/checkpoints"),
    reportsFolder: join(root, ".kept/reports"),
  };
  const tools = [...memoryTools(given), ...reportTools(given)];
  const engine = createEngine({ mode: "auto", workspace: [root], tools, ...rest });
  engine.groups.activate("agents");
  test.after(() => engine.close());
  const run = (name: string, input: JsonObject = {}, session = "s"): Promise<ToolResult> =>
    engine.run(call(name, input), { session });
  const good = async (...given: Parameters<typeof run>): Promise<ToolResult> => {
    const result = await run(...given);
    if (!result.ok) throw new Error(textOf(result));
    return result;
  };
  return {
    root,
    collections,
    engine,
    run,
    text: async (...given) => textOf(await good(...given)),
    async data(...given) {
      const result = await good(...given);
      return (result.ok ? result.data : {}) as JsonObject;
    },
    async fault(...given) {
      const result = await run(...given);
      if (result.ok) throw new Error(`it is no failure: ${textOf(result)}`);
      return result.error;
    },
    close: () => engine.close(),
  };
}

/** Opens the same tools on the same database file, as another process would. */
export async function openMemoryToolsOnDisk(
  test: TestContext,
  root: string,
  folder: string,
): Promise<MemoryTools> {
  const store = await openStore({ folder });
  const tools = openMemoryTools(test, { root, collections: store.collections });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await tools.close();
    await store.close();
  };
  test.after(close);
  return { ...tools, close };
}
