import type { Server } from "@modelcontextprotocol/server";
import type { ApprovalRequest, Question } from "../../../core/approval.ts";
import type { Key } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { ClientSampler } from "../../../sources/mcp/types/client-keys.ts";
import type { Asking } from "../../../sources/mcp/types/source-types.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { refused } from "../../host/approvals/answers.ts";
import type { AskingRequest, ServeRequest, ServerPorts } from "../calls/call-types.ts";
import { faceOf, rethrowAsProtocol, toProtocolFault } from "../calls/serve-call.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { CallOutcome, Channel } from "../types/gateway-types.ts";

/** Serves the prompts of upstream servers, and completions of their arguments. */
export function servePrompts(server: Server, ports: ServerPorts, serve: ServeRequest): void {
  const { sdk } = ports;
  const { PaginatedRequestParams, GetPromptRequestParams, CompleteRequestParams } = sdk.specTypeSchemas;
  server.setRequestHandler("prompts/list", { params: PaginatedRequestParams }, async (_, { mcpReq }) => {
    const { upstream, access } = await openUpstream(ports);
    const prompts = (await upstream?.prompts(mcpReq.signal)) ?? [];
    const visible = prompts.filter(({ name }) => typeof name === "string" && access.seesPrompt(name));
    return { prompts: visible };
  });
  server.setRequestHandler(
    "prompts/get",
    { params: GetPromptRequestParams },
    async ({ name, arguments: values = {} }, context) => {
      const session = await ports.session(context);
      const mayAsk = session.mayApprove && faceOf(server, session).approvals !== "queue";
      return serve(context, promptRequest(ports, { session, name, values, mayAsk }));
    },
  );
  server.setRequestHandler(
    "completion/complete",
    { params: CompleteRequestParams },
    async (params, { mcpReq }) => {
      const { upstream, access } = await openUpstream(ports);
      const request = params as unknown as JsonObject;
      const completion = await upstream
        ?.complete(request, access, mcpReq.signal)
        .catch(rethrowAsProtocol(sdk));
      return completion ?? { completion: { values: [] } };
    },
  );
}

async function openUpstream({ gateway, ceilings }: ServerPorts) {
  const opened = await gateway();
  return { upstream: await opened.upstream(), access: opened.access(ceilings), mask: opened.mask };
}

interface PromptGet {
  readonly session: ClientSession;
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  /** False: the client gets no forms, whatever it can show. */
  readonly mayAsk: boolean;
}

/** Returns a request for a prompt, whose server may ask the client for what the prompt needs. */
function promptRequest(ports: ServerPorts, wanted: PromptGet): AskingRequest {
  const { session, name, values } = wanted;
  return {
    session,
    name,
    input: values,
    async run(channel): Promise<CallOutcome> {
      const { upstream, access, mask } = await openUpstream(ports);
      const reader = { signal: channel.controller.signal, asking: askingOf(wanted, channel) };
      try {
        const prompt = access.seesPrompt(name)
          ? await upstream?.getPrompt(name, values, access, reader)
          : undefined;
        if (prompt !== undefined) return { result: masked(prompt, mask) };
      } catch (error) {
        const fault = error instanceof ToolError ? error : new ToolError("TOOL_FAILED", errorMessage(error));
        return { error: toProtocolFault(fault) };
      }
      const { InvalidParams: code } = ports.sdk.ProtocolErrorCode;
      return { error: { code, message: `no prompt is named "${name}"` } };
    },
  };
}

/** Returns how the server of a prompt reaches the user at the client; undefined if it cannot. */
function askingOf({ name, values, mayAsk }: PromptGet, channel: Channel): Asking | undefined {
  const { sample, controller } = channel;
  const ask = mayAsk ? channel.ask : undefined;
  if (ask === undefined && sample === undefined) return undefined;
  return {
    find: <T>({ name: key }: Key<T>) => (key === ClientSampler.name ? (sample as T) : undefined),
    ask: async (question) =>
      ask?.(questionOf(name, values, question), controller.signal) ?? refused("this client shows no forms"),
  };
}

function questionOf(tool: string, input: JsonObject, question: Question): ApprovalRequest {
  const ungrantable = "the server of a prompt asks";
  const about = { reason: question.text, question, ungrantable };
  return { callId: "prompt", tool, risk: "low", input, facts: [], hash: "", ...about };
}

/** Masks secrets in the texts of a prompt's messages. */
function masked(prompt: JsonObject, mask: Gateway["mask"]): JsonObject {
  const maskTexts = (part: Json): Json => {
    if (!isObject(part)) return part;
    const { text, resource, content } = part;
    return {
      ...part,
      ...(typeof text === "string" && { text: mask(text) }),
      ...(isObject(resource) && { resource: maskTexts(resource) }),
      ...(isObject(content) && { content: maskTexts(content) }),
    };
  };
  const { messages } = prompt;
  return Array.isArray(messages)
    ? { ...prompt, messages: (messages as readonly Json[]).map(maskTexts) }
    : prompt;
}
