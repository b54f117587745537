import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import OpenAI from "openai";

type Param = OpenAI.ChatCompletionMessageParam;

/** A chat model of LangChain on OpenAI's chat protocol: `@langchain/openai` is not installed here. */
export class OpenAiChat extends BaseChatModel {
  readonly #client: OpenAI;
  readonly #tools: readonly BindToolsInput[];

  constructor(baseURL: string, tools: readonly BindToolsInput[] = []) {
    super({ maxRetries: 0 });
    this.#client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    this.#tools = tools;
  }

  override _llmType(): string {
    return "openai-chat";
  }

  override bindTools(tools: BindToolsInput[]): OpenAiChat {
    return new OpenAiChat(this.#client.baseURL, tools);
  }

  override async _generate(
    messages: BaseMessage[],
    { signal }: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const tools = this.#tools.map(
      (tool) =>
        convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0]) as OpenAI.ChatCompletionTool,
    );
    const request = { model: "some-model", messages: messages.map(toParam), tools };
    const stream = this.#client.chat.completions.stream(request, { signal: signal ?? null });
    const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
    const calls = (message?.tool_calls ?? []).flatMap(({ id, ...call }) =>
      "function" in call
        ? [
            {
              id,
              name: call.function.name,
              args: JSON.parse(call.function.arguments) as Record<string, unknown>,
            },
          ]
        : [],
    );
    const text = message?.content ?? "";
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls: calls }) }] };
  }
}

function toParam(message: BaseMessage): Param {
  const content = message.text;
  if (message.type === "tool") {
    const { tool_call_id } = message as BaseMessage & { readonly tool_call_id: string };
    return { role: "tool", content, tool_call_id };
  }
  if (message.type !== "ai") return { role: message.type === "system" ? "system" : "user", content };
  const tool_calls = ((message as AIMessage).tool_calls ?? []).map(({ id = "", name, args }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) };
}
