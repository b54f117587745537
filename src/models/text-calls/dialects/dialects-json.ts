import type { Dialect } from "./dialect.ts";
import { each, framedResult, json, list } from "./styles.ts";

const named = json();

/** Dialects whose calls are JSON behind a marker. */
export const JSON_DIALECTS = [
  {
    name: "hermes",
    models: "Hermes 2 Pro and later, Qwen 2.5, Qwen 3",
    tags: ["tool_call"],
    style: each("<tool_call>\n", "\n</tool_call>", named),
  },
  {
    name: "ernie",
    models: "Ernie 4.5",
    tags: ["tool_call"],
    style: each("<tool_call>\n", "\n</tool_call>\n", named),
  },
  {
    name: "reka",
    models: "Reka Edge",
    tags: ["tool_call"],
    style: each("<tool_call>\n", "</tool_call>", named),
  },
  {
    name: "apriel",
    models: "Apriel 1.5",
    tags: ["tool_calls"],
    style: list("<tool_calls>", "</tool_calls>", named),
  },
  {
    name: "hunyuan-a13b",
    models: "Hunyuan A13B",
    tags: ["tool_calls"],
    style: list("<tool_calls>", "</tool_calls>", named),
  },
  {
    name: "jamba",
    models: "Jamba 1.5 and later",
    tags: ["tool_calls"],
    style: list("<tool_calls>", "</tool_calls>", named),
  },
  {
    name: "minimax-m1",
    models: "MiniMax M1",
    tags: ["tool_calls"],
    style: each("", "", named, { before: "<tool_calls>\n", after: "\n</tool_calls>" }),
  },
  {
    name: "nemotron",
    models: "Nemotron Nano v2",
    tags: ["toolcall"],
    style: list("<TOOLCALL>", "</TOOLCALL>", named),
  },
  {
    name: "longcat",
    models: "LongCat Flash",
    tags: ["tool_call"],
    style: each("<longcat_tool_call>", "</longcat_tool_call>", named),
  },
  {
    name: "granite-20b",
    models: "Granite 20B function calling",
    tags: ["function_call"],
    style: each("<function_call> ", "", named),
  },
  {
    name: "tool-use",
    models: "weak models that were shown JSON in tags",
    tags: ["tool_use", "tool_request", "functioncall", "function_call"],
    style: each("<tool_use>\n", "\n</tool_use>", named),
  },
  { name: "granite3", models: "Granite 3", tokens: ["tool_call"], style: list("<|tool_call|>", "", named) },
  {
    name: "phi4",
    models: "Phi 4",
    tokens: ["tool_call", "tool_calls"],
    style: list("<|tool_call|>", "<|/tool_call|>", named),
  },
  {
    name: "gigachat3",
    models: "GigaChat 3",
    tokens: ["function_call"],
    style: each("<|function_call|>", "", named),
  },
  {
    name: "command-r7b",
    models: "Command R7B, Command A",
    tokens: ["start_action"],
    style: list(
      "<|START_ACTION|>",
      "<|END_ACTION|>",
      json("tool_name", "parameters"),
      framedResult("<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>"),
    ),
  },
  {
    name: "command-r-plus",
    models: "Command R, Command R+",
    bare: ["react", "json"],
    style: list("Action:\n```json\n", "\n```", json("tool_name", "parameters")),
  },
  {
    name: "inkling",
    models: "Inkling",
    tokens: ["content_invoke_tool_json"],
    bare: ["header"],
    style: each("<|content_invoke_tool_json|>", "<|end_message|>", json("name", "args")),
  },
  {
    name: "internlm2",
    models: "InternLM 2 and later",
    tokens: ["action_start"],
    style: each("<|action_start|><|plugin|>", "<|action_end|>", json("name", "parameters")),
  },
  {
    name: "apertus",
    models: "Apertus",
    tokens: ["tools_prefix"],
    style: list("<|tools_prefix|>", "<|tools_suffix|>", ({ name, input }) =>
      JSON.stringify({ [name]: input }),
    ),
  },
  {
    name: "llama3-json",
    models: "Llama 3.1, 3.2 and 3.3",
    tokens: ["python_tag"],
    bare: ["json"],
    style: each("", "", json("name", "parameters"), { between: "; " }),
  },
  {
    name: "mistral-json",
    models: "Mistral 7B, Mixtral, Mistral Nemo",
    bare: ["mistral"],
    style: list("[TOOL_CALLS]", "", named, framedResult("[TOOL_RESULTS]", "[/TOOL_RESULTS]")),
  },
  { name: "xlam", models: "xLAM", bare: ["json"], style: list("", "", named) },
  {
    name: "fenced-json",
    models: "models without a dialect of their own",
    bare: ["json"],
    style: list("```json\n", "\n```", named),
  },
  {
    name: "firefunction",
    models: "Firefunction v2",
    bare: ["functools"],
    style: list(" functools", "", named),
  },
  { name: "phi4-mini", models: "Phi 4 mini", bare: ["functools"], style: list("functools", "", named) },
] as const satisfies readonly Dialect[];
