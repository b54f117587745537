// A server on loopback that answers like a provider: first with two tool calls, one of them wrong, then with text.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface FakeProvider {
  readonly url: string;
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

const NAME = "get_weather";
const BODIES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  openai: [
    {
      choices: [
        {
          message: {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "call_1", type: "function", function: { name: NAME, arguments: '{"city":"Oslo"}' } },
              { id: "call_2", type: "function", function: { name: "get_wether", arguments: "{}" } },
            ],
          },
        },
      ],
    },
    { choices: [{ message: { role: "assistant", content: "It rains." } }] },
  ],
  "openai-responses": [
    {
      output: [
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "function_call", call_id: "call_1", name: NAME, arguments: '{"city":"Oslo"}' },
        { type: "function_call", call_id: "call_2", name: NAME, arguments: '{"town":"Oslo"}' },
      ],
    },
    {
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains." }] }],
    },
  ],
  anthropic: [
    {
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "I shall look." },
        { type: "tool_use", id: "toolu_1", name: NAME, input: { city: "Oslo" } },
        { type: "tool_use", id: "toolu_2", name: NAME, input: {} },
      ],
    },
    { role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: "It rains." }] },
  ],
  google: [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { functionCall: { id: "fn-1", name: NAME, args: { city: "Oslo" } } },
              { functionCall: { name: NAME, args: { city: 7, when: "now" } } },
            ],
          },
        },
      ],
    },
    { candidates: [{ content: { role: "model", parts: [{ text: "It rains." }] } }] },
  ],
};

/** Starts the server for one of the formats. */
export async function fakeProvider(format: string): Promise<FakeProvider> {
  const requests: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = BODIES[format]?.[requests.length];
      requests.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
