/**
 * The most tools of a request, by provider, where the provider documents a number. OpenAI: the parameter `tools` of
 * https://platform.openai.com/docs/api-reference/chat/create. Google: `functionDeclarations` of
 * https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/Tool; its Gemini API names no number.
 */
export const MAX_TOOLS: Readonly<Record<string, number>> = {
  openai: 128,
  "openai-chat": 128,
  google: 128,
};
