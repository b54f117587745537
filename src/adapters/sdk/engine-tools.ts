import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { Progress } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Failure, Success, ToolResult } from "../../core/result.ts";
import type { ToolRef } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { RunOptions } from "../../engine/types/options.ts";
import type { OpenAiFunction } from "../../formats/provider-shapes.ts";
import { defined } from "../../util/json/defined.ts";

/** How the tools of an engine are given to another SDK. */
export interface EngineToolsOptions<Tools extends readonly ToolRef[] = readonly ToolRef[]> extends Pick<
  RunOptions,
  "session" | "subject" | "agent" | "context"
> {
  /** Who is asked about a call that needs approval: a person, through the SDK's own mechanism, or the engine's approver. Default: sdk. */
  readonly approvals?: "sdk" | "engine";
  /** The tools to give, of those that are active: the result has their names and types. Default: all. */
  readonly tools?: Tools;
  /** The names of the tools to give, of those that are active. Default: those of `tools`. */
  readonly only?: readonly string[];
}

/** An answer as the programs of another SDK get it: without timing and stack. */
export type EngineAnswer<Data = unknown> =
  | (Pick<Success, "ok" | "content"> &
      (unknown extends Data ? Pick<Success, "data"> : { readonly data: Data }))
  | Pick<Failure, "ok" | "content" | "error">;

/** The types of a tool for another SDK. The name is known if no provider could be shown another one. */
export interface TypesOf<T extends ToolRef> {
  /** `string` if the name has characters that a provider may refuse. */
  readonly name: T["name"] extends `${string}${"." | "/" | ":"}${string}` ? string : T["name"];
  /** Of the input, before defaults are filled in. */
  readonly given: T extends ToolRef<infer _Data, infer Given> ? Given : unknown;
  /** Of the data of its answers. */
  readonly data: T extends ToolRef<infer Data, infer _Given> ? Data : unknown;
}

/** What the SDK passes to one run of a tool. */
interface RunParts {
  readonly signal?: AbortSignal | undefined;
  /** What a person has decided through the SDK. */
  readonly decision?: Approval | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/** A tool of an engine, before it has the form of one SDK. */
export interface EngineTool extends OpenAiFunction {
  readonly description: string;
  /** Returns what a person must be asked, through the SDK, before the call; undefined if nothing. */
  request(id: string | undefined, input: unknown): Promise<ApprovalRequest | undefined>;
  /** Runs a call through the pipeline. Never rejects. */
  run(id: string | undefined, input: unknown, parts: RunParts): Promise<EngineAnswer>;
}

/** The approval of a person who cannot choose a scope. */
export const ONCE: Approval = { approved: true, scope: "once" };

const KINDS: OptionKinds<EngineToolsOptions> = {
  session: "a text",
  subject: "an id that is not empty, or { id, groups, roles }",
  agent: "an object",
  context: "a list",
  approvals: ["sdk", "engine"],
  tools: "a list",
  only: "a list of texts",
};

/** Returns the active tools of an engine, with names and schemas that every provider accepts. Throws `INVALID_INPUT` for an unknown name. */
export function engineTools(engine: Engine, options: EngineToolsOptions): readonly EngineTool[] {
  checkOptions("the tools of an engine", options, KINDS);
  const { approvals = "sdk", tools, only = tools?.map(({ name }) => name), ...given } = options;
  const { session } = given;
  const specs = engine.specs("openai", defined({ session })).map(({ function: tool }) => tool);
  const names = engine.list(defined({ session })).map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ToolError("INVALID_INPUT", `no active tool is named "${unknown}"`, {
      hint: `use ${names.join(", ")}`,
    });
  return specs
    .filter((_, index) => only?.includes(names[index] ?? "") ?? true)
    .map((tool) => ({
      ...tool,
      description: tool.description ?? "",
      async request(id, input) {
        if (approvals === "engine") return undefined;
        return (await engine.explain(callOf(id, tool.name, input), given)).request;
      },
      async run(id, input, { signal, decision, onProgress }) {
        const call = callOf(id, tool.name, input);
        const stop = onProgress === undefined ? undefined : listen(engine, call.id, session, onProgress);
        const result = await engine.run(call, { ...given, ...defined({ signal, decision }) });
        stop?.();
        return toAnswer(result);
      },
    }));
}

function callOf(id: string = globalThis.crypto.randomUUID(), name: string, input: unknown) {
  return { id, name, input };
}

/** Calls back with the progress of one call. Returns a function that stops it. */
function listen(
  engine: Engine,
  callId: string,
  session: string | undefined,
  onProgress: (progress: Progress) => void,
): () => void {
  return engine.on(
    (event) => {
      if (event.callId === callId && event.session === session) onProgress(event.progress);
    },
    ["call.progressed"],
  );
}

function toAnswer(result: ToolResult): EngineAnswer {
  const { content } = result;
  if (!result.ok) return { ok: false, content, error: result.error };
  return { ok: true, content, ...defined({ data: result.data }) };
}
