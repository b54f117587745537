import type { Dialect } from "./dialect.ts";
import type { WrittenCall } from "./styles.ts";
import { each, framedResult, gemma, harmlessJson, list, python } from "./styles.ts";

const inputOf = ({ input }: WrittenCall): string => JSON.stringify(input);

/** Dialects that write the tool's name and then its input, and those that write code. */
export const NAMED_DIALECTS = [
  {
    name: "mistral",
    models: "Mistral Small 3.1, Magistral",
    bare: ["mistral"],
    style: each("[TOOL_CALLS]", "", (call) => call.name + inputOf(call), {
      between: "",
      result: framedResult("[TOOL_RESULTS]", "[/TOOL_RESULTS]"),
    }),
  },
  {
    name: "mistral-args",
    models: "Devstral, Ministral 3",
    bare: ["mistral"],
    style: each("[TOOL_CALLS]", "", (call) => `${call.name}[ARGS]${inputOf(call)}`, {
      between: "",
      result: framedResult("[TOOL_RESULTS]", "[/TOOL_RESULTS]"),
    }),
  },
  {
    name: "deepseek-v3",
    models: "DeepSeek V2, V3 and R1",
    tokens: ["tool_calls_begin", "tool_calls", "tool_call_begin"],
    style: each(
      "<｜tool▁call▁begin｜>",
      "<｜tool▁call▁end｜>",
      (call) => `function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${inputOf(call)}\n\`\`\``,
      {
        before: "<｜tool▁calls▁begin｜>",
        after: "<｜tool▁calls▁end｜>",
        result: framedResult("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
      },
    ),
  },
  {
    name: "deepseek-v31",
    models: "DeepSeek V3.1",
    tokens: ["tool_calls_begin", "tool_call_begin"],
    style: each(
      "<｜tool▁call▁begin｜>",
      "<｜tool▁call▁end｜>",
      (call) => `${call.name}<｜tool▁sep｜>${inputOf(call)}`,
      {
        before: "<｜tool▁calls▁begin｜>",
        after: "<｜tool▁calls▁end｜>",
        between: "",
        result: framedResult("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
      },
    ),
  },
  {
    name: "kimi-k2",
    models: "Kimi K2",
    tokens: ["tool_calls_section_begin", "tool_call_section_begin", "tool_call_begin"],
    style: each(
      "<|tool_call_begin|>",
      "<|tool_call_end|>",
      (call, index) => `functions.${call.name}:${index}<|tool_call_argument_begin|>${inputOf(call)}`,
      { before: "<|tool_calls_section_begin|>", after: "<|tool_calls_section_end|>", between: "" },
    ),
  },
  {
    name: "gpt-oss",
    models: "gpt-oss (harmony)",
    bare: ["header"],
    style: each(
      "<|start|>assistant<|channel|>commentary to=functions.",
      "<|call|>",
      (call) => `${call.name} <|constrain|>json<|message|>${inputOf(call)}`,
      {
        between: "",
        result: (name, text) =>
          `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${harmlessJson(text)}<|end|>`,
      },
    ),
  },
  {
    name: "functionary-v31",
    models: "Functionary v3.1, Llama 3 as it was first prompted",
    tags: ["function"],
    style: each("", "", (call) => `<function=${call.name}>${inputOf(call)}</function>`),
  },
  {
    name: "functionary-v32",
    models: "Functionary v3.2",
    bare: ["named-line"],
    style: each(">>>", "", (call) => `${call.name}\n${inputOf(call)}`),
  },
  {
    name: "gemma4",
    models: "Gemma 4",
    tokens: ["half_tool_call"],
    style: each("<|tool_call>", "<tool_call|>", gemma('<|"|>'), { between: "" }),
  },
  {
    name: "functiongemma",
    models: "FunctionGemma",
    tags: ["start_function_call"],
    style: each("<start_function_call>", "<end_function_call>", gemma("<escape>"), { between: "" }),
  },
  {
    name: "pythonic",
    models: "Llama 3.2, ToolACE and others",
    tokens: ["python_start"],
    bare: ["pythonic"],
    style: list("", "", python),
  },
  {
    name: "llama4-pythonic",
    models: "Llama 4",
    tokens: ["python_start"],
    bare: ["pythonic"],
    style: list("<|python_start|>", "<|python_end|>", python),
  },
  {
    name: "lfm2",
    models: "LFM 2",
    tokens: ["tool_call_start"],
    style: list("<|tool_call_start|>", "<|tool_call_end|>", python),
  },
  {
    name: "olmo3",
    models: "OLMo 3",
    tags: ["function_calls"],
    style: each("", "", python, { before: "<function_calls>", after: "</function_calls>" }),
  },
  {
    name: "react",
    models: "any model with a ReAct prompt",
    bare: ["react"],
    style: each("Action: ", "", (call) => `${call.name}\nAction Input: ${inputOf(call)}`, {
      result: (_, text) => `Observation: ${text}`,
    }),
  },
] as const satisfies readonly Dialect[];
