import type { TestContext } from "node:test";
import type { ToolResult } from "../../../src/core/result.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { object, string } from "../../../src/schema/define/schema.ts";
import { serveProvider, type ProviderServer } from "../servers/provider-server.ts";
import { WIRES } from "./provider-streams.ts";
import type { StreamedCall } from "./provider-wire.ts";

/** An engine whose tools another SDK's agent calls, and a provider on loopback that scripts that agent. */
export interface SdkScene extends ProviderServer {
  readonly engine: Engine;
  /** The services that were deployed. */
  readonly deployed: readonly string[];
  /** Every answer of the engine. */
  readonly results: readonly ToolResult[];
  /** Resolves when the tool `wait` runs. */
  readonly waits: Promise<void>;
  /** The base URL for clients of OpenAI. */
  readonly baseUrl: string;
}

type Turn = string | readonly StreamedCall[];

/** Starts the scene. The provider streams a text or calls, in turn, in OpenAI's chat format. */
export async function sdkScene(t: TestContext, turns: readonly Turn[]): Promise<SdkScene> {
  const deployed: string[] = [];
  const results: ToolResult[] = [];
  const started = Promise.withResolvers<void>();
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys a service.",
    input: object({ service: string("Its name") }),
    risk: "high",
    run({ service }, { emit }) {
      emit(`building ${service}`);
      deployed.push(service);
      return { deployed: service };
    },
  });
  const wait = defineTool({
    name: "wait",
    description: "Waits until it is cancelled.",
    risk: "low",
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        started.resolve();
      }),
  });
  const engine = createEngine({ tools: [deploy, wait] });
  t.after(() => engine.close());
  engine.on(({ result }) => results.push(result), ["call.answered"]);
  const bodies = turns.map((turn) =>
    WIRES["openai-chat"].stream(typeof turn === "string" ? { text: turn } : { calls: turn }),
  );
  const server = await serveProvider(
    t,
    bodies.map((body) => ({ body })),
  );
  return {
    ...server,
    engine,
    deployed,
    results,
    waits: started.promise,
    baseUrl: `${server.url}/v1`,
  };
}

/** A call of a tool, as a turn of the model. */
export function calls(name: string, input: JsonObject, id = "call_1"): readonly StreamedCall[] {
  return [{ id, name, json: JSON.stringify(input) }];
}
