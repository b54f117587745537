import type { IncomingMessage } from "node:http";
import type { TestContext } from "node:test";
import { startWebServer } from "./web-server.ts";

const ANSWER = '{"message": {"role": "assistant", "content": "OK"}, "done": true, "done_reason": "stop"}\n';

export interface OllamaServer {
  /** Name this server for every provider that needs no key, so that no other server is asked. */
  readonly variables: Readonly<Record<string, string>> & { readonly OLLAMA_HOST: string };
  readonly requests: readonly IncomingMessage[];
}

/** Starts an Ollama on loopback with the model `qwen3:8b`, which answers every chat with this body. It ends with the test. */
export async function startOllama(t: TestContext, chat = ANSWER, status = 200): Promise<OllamaServer> {
  const { origin, requests } = await startWebServer(t, (request, response) => {
    if (request.url === "/api/tags") return response.end('{"models": [{"name": "qwen3:8b"}]}');
    response.statusCode = request.url === "/api/chat" ? status : 404;
    return response.end(request.url === "/api/chat" ? chat : "{}");
  });
  const others = { VLLM_BASE_URL: origin, LMSTUDIO_BASE_URL: origin, LLAMACPP_BASE_URL: origin };
  return { variables: { OLLAMA_HOST: origin, ...others }, requests };
}
