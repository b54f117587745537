import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from "@agentclientprotocol/sdk";
import type { EngineEvent } from "../../core/events.ts";
import type { Fact } from "../../core/fact.ts";
import type { Hook } from "../../core/hook.ts";
import type { Json } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { throttle, type Throttle } from "../../util/async/throttle.ts";
import { defined } from "../../util/json/defined.ts";
import type { ChangedText, FileChanges } from "../repl/changes/file-changes.ts";
import { summaryOf, answerText } from "../repl/state/summary.ts";
import { addOutput, EMPTY_OUTPUT, type OutputTail } from "../repl/state/output-tail.ts";
import { textContent, toCallContent } from "./content.ts";
import type { Client } from "./client/client.ts";

/** How often the output of a running call is sent. */
const OUTPUT_MS = 200;
const MAX_LINES = 100;

/** The calls of a session, as its client sees them. */
export type ToolCalls = ReturnType<typeof createToolCalls>;

interface ShownCall {
  readonly id: string;
  output: OutputTail;
  readonly progress: Throttle<OutputTail>;
  terminalId?: string;
}

export interface ToolCallsOptions {
  readonly client: Client;
  readonly specOf: (name: string) => ToolSpec | undefined;
  /** Returns the name of the agent of a session that is not the root's. */
  readonly agentOf: (session: string | undefined) => string | undefined;
  readonly textsOf: FileChanges["textsOf"];
}

/** Shows the calls of a session to its client. */
export function createToolCalls(options: ToolCallsOptions) {
  const { client } = options;
  const reportedCalls = new Map<string, ShownCall>();
  const uses = new Map<string, number>();
  /** Returns the id of a call that was not shown yet; calls of one session never share an id. */
  const newId = (callId: string): string => {
    const use = (uses.get(callId) ?? 0) + 1;
    uses.set(callId, use);
    return use === 1 ? callId : `${callId}-${use}`;
  };
  const change = (toolCallId: string, changed: Omit<ToolCallUpdate, "toolCallId">): void =>
    client.update({ sessionUpdate: "tool_call_update", toolCallId, ...changed });
  /** Learns the files of each call; the engine is created with it. */
  const hook: Hook = {
    name: "acp",
    on: ["before_tool"],
    onFailure: "pass",
    matches: ({ facts = [] }) => facts.some(({ kind }) => kind === "path"),
    run({ call, facts = [] }) {
      const one = reportedCalls.get(call?.id ?? "");
      const locations = [...locationsOf(facts, call?.input["start_line"])];
      if (one !== undefined) change(one.id, { locations });
      return undefined;
    },
  };
  return {
    newId,
    hook,
    /** Returns the id under which the client knows a call. */
    idOf: (callId: string): string => reportedCalls.get(callId)?.id ?? callId,
    /** Shows the client's terminal in which a call runs. */
    setTerminal: (callId: string, terminalId: string): void => {
      const call = reportedCalls.get(callId);
      if (call === undefined) return;
      call.terminalId = terminalId;
      change(call.id, { content: [terminalContent(terminalId)] });
    },
    /** Takes the events of the engine. */
    on(event: EngineEvent): void {
      if (event.type === "call.received") {
        const id = newId(event.callId);
        const progress = throttle((tail: OutputTail) => change(id, { content: outputOf(tail) }), OUTPUT_MS);
        reportedCalls.set(event.callId, { id, output: EMPTY_OUTPUT, progress });
        return client.update({ sessionUpdate: "tool_call", toolCallId: id, ...beginningOf(event, options) });
      }
      const call = "callId" in event ? reportedCalls.get(event.callId ?? "") : undefined;
      if (call === undefined) return undefined;
      if (event.type === "call.started") return change(call.id, { status: "in_progress" });
      if (event.type === "call.progressed") {
        call.output = addOutput(call.output, event.progress);
        return call.progress.push(call.output);
      }
      if (event.type !== "call.answered") return undefined;
      reportedCalls.delete(event.callId);
      call.progress.end();
      return change(call.id, endOf(call, event.result, options));
    },
  };
}

function beginningOf(
  { name, input, session }: Of<"call.received">,
  { specOf, agentOf }: ToolCallsOptions,
): Pick<ToolCall, "title" | "kind" | "status" | "rawInput"> {
  const agent = agentOf(session);
  const title = agent === undefined ? titleOf(name, input) : `${agent}: ${titleOf(name, input)}`;
  return { title, kind: kindOf(name, specOf(name)), status: "pending", rawInput: input };
}

/** Shows the terminal or the diffs of a call if it has some, else its answer; an error in any case. */
function endOf(
  { terminalId }: ShownCall,
  result: ToolResult,
  { textsOf }: ToolCallsOptions,
): Pick<ToolCallUpdate, "status" | "content"> {
  const diffs = result.ok ? textsOf(result.callId).map(toDiff) : [];
  const content = terminalId === undefined ? diffs : [terminalContent(terminalId)];
  if (!result.ok) return { status: "failed", content: [...content, textContent(answerText(result))] };
  return {
    status: "completed",
    content: content.length > 0 ? [...content] : [...toCallContent(result.content)],
  };
}

type Of<Type extends EngineEvent["type"]> = Extract<EngineEvent, { readonly type: Type }>;

/** Returns a call on one line. */
export function titleOf(name: string, input: Json | undefined): string {
  const summary = input === undefined ? "" : summaryOf(input);
  return name === "shell" && summary !== "" ? summary : `${name} ${summary}`.trimEnd();
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  glob: "search",
  grep: "search",
  search_tools: "search",
  web_search: "search",
  delete_file: "delete",
};

/** The kinds of groups whose tools only read, then of those whose tools change something. */
const GROUP_KINDS: Readonly<Record<string, readonly [ToolKind, ToolKind]>> = {
  files: ["read", "edit"],
  running: ["execute", "execute"],
  web: ["fetch", "fetch"],
  memory: ["think", "think"],
};

/** Returns the kind of a tool, by which clients choose an icon. */
export function kindOf(name: string, spec: Pick<ToolSpec, "group" | "effects"> | undefined): ToolKind {
  const [reads, changes] = GROUP_KINDS[spec?.group ?? ""] ?? ["other", "other"];
  return KINDS[name] ?? (spec?.effects === "none" ? reads : changes);
}

/** Returns the files that a call touches, for clients that follow along. */
export function locationsOf(facts: readonly Fact[], line?: Json): readonly ToolCallLocation[] {
  return facts.flatMap((fact) =>
    fact.kind === "path" && fact.suspected !== true
      ? [{ path: fact.path, ...(typeof line === "number" && { line }) }]
      : [],
  );
}

function toDiff({ path, before: oldText, after }: ChangedText): ToolCallContent {
  return { type: "diff", path, newText: after ?? "", ...defined({ oldText }) };
}

function terminalContent(terminalId: string): ToolCallContent {
  return { type: "terminal", terminalId };
}

function outputOf({ lines }: OutputTail): ToolCallContent[] {
  const last = lines.slice(-MAX_LINES).map(({ text }) => text);
  return [textContent(last.join("\n"))];
}
