// The documented forms of tools that are loaded in the middle of a conversation, written independently of the code that sends them:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool and, for OpenAI's Responses API, its item `additional_tools`.
type Node = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

/** What a model can call in a request, or why its provider rejects the request. */
export type Loaded = { readonly names: readonly string[] } | { readonly refusal: string };

/** Returns the tools that are loaded when the model answers. */
export function loadedTools(body: Body, provider: string): Loaded {
  if (provider === "anthropic") return loadedByAnthropic(body);
  if (provider === "openai") return loadedByOpenAi(body);
  return { names: toolsOf(body).map(nameOf) };
}

/** Returns the tools of a request in any provider's form. */
export function toolsOf({ tools = [] }: Body): readonly Node[] {
  return list(tools).flatMap((tool) => list(tool["functionDeclarations"] ?? [tool]));
}

function nameOf({ name, function: declared }: Node): string {
  return String((declared as Node | undefined)?.["name"] ?? name);
}

const ANTHROPIC_FIELDS = new Set(["name", "description", "input_schema", "cache_control", "defer_loading"]);

function loadedByAnthropic(body: Body): Loaded {
  const tools = toolsOf(body);
  const unknown = tools.flatMap(Object.keys).find((key) => !ANTHROPIC_FIELDS.has(key));
  if (unknown !== undefined) return { refusal: `tools.0.${unknown}: Extra inputs are not permitted` };
  const deferred = new Set(tools.filter((tool) => tool["defer_loading"] === true).map(nameOf));
  if (tools.length > 0 && deferred.size === tools.length)
    return { refusal: "All tools have defer_loading set. At least one tool must be non-deferred." };
  const loaded = new Set(tools.map(nameOf).filter((name) => !deferred.has(name)));
  for (const block of list(body["messages"]).flatMap(({ content }) => blocksOf(content))) {
    if (block["type"] !== "tool_result") continue;
    const inner = blocksOf(block["content"]);
    const references = inner.filter(({ type }) => type === "tool_reference");
    if (references.length === 0) continue;
    if (block["is_error"] === true || references.length < inner.length)
      return { refusal: "a result with references to tools has nothing else, and is no error" };
    for (const { tool_name: name } of references) {
      if (!deferred.has(String(name)))
        return { refusal: `Tool reference '${String(name)}' has no corresponding tool definition` };
      loaded.add(String(name));
    }
  }
  return { names: [...loaded] };
}

function loadedByOpenAi(body: Body): Loaded {
  const names = toolsOf(body).map(nameOf);
  const input = list(body["input"]);
  for (const [index, { type, role, tools }] of input.entries()) {
    if (type !== "additional_tools") continue;
    if (role !== "developer") return { refusal: `Invalid value: '${String(role)}'. Supported: 'developer'.` };
    if (input[index - 1]?.["type"] !== "function_call_output")
      return { refusal: "additional_tools follow the result that brings them" };
    for (const tool of list(tools)) {
      const parameters = tool["parameters"] as Node | undefined;
      if (tool["type"] !== "function" || parameters?.["type"] !== "object")
        return { refusal: "Invalid 'tools': expected functions with parameters" };
      if (names.includes(nameOf(tool))) return { refusal: `Duplicate tool name: ${nameOf(tool)}` };
      names.push(nameOf(tool));
    }
  }
  return { names };
}

function blocksOf(content: unknown): readonly Node[] {
  return Array.isArray(content) ? (content as readonly Node[]) : [];
}

function list(value: unknown): readonly Node[] {
  return Array.isArray(value) ? (value as readonly Node[]) : [];
}
