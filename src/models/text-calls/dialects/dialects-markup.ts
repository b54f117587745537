import type { Json } from "../../../core/json.ts";
import type { Dialect } from "./dialect.ts";
import type { ParameterStyle, Style, WrittenCall } from "./styles.ts";
import { each, escapeMarkup, parameters, taggedResult } from "./styles.ts";

/** Parameters between tags that carry the name as an attribute. */
function attribute(tag: string, breaks: ParameterStyle["breaks"] = "needed"): ParameterStyle {
  return { open: (key) => `<${tag} name="${key}">`, close: () => `</${tag}>`, breaks };
}

const EQUALS: ParameterStyle = {
  open: (key) => `<parameter=${key}>`,
  close: () => "</parameter>",
  breaks: "always",
};
const ESCAPED: ParameterStyle = { ...EQUALS, escape: escapeMarkup };
const CHILDREN: ParameterStyle = { open: (key) => `<${key}>`, close: (key) => `</${key}>`, breaks: "needed" };
const ARGUMENTS: ParameterStyle = {
  open: (key) => `<arg_key>${key}</arg_key>\n<arg_value>`,
  close: () => "</arg_value>",
  breaks: "never",
};
const DSML: ParameterStyle = {
  open: (key, value) => `<｜DSML｜parameter name="${key}" string="${String(typeof value === "string")}">`,
  close: () => "</｜DSML｜parameter>",
  breaks: "needed",
};
const MINIMAX = "]<]minimax[>[";
const MINIMAX_CHILDREN: ParameterStyle = {
  open: (key) => `${MINIMAX}<${key}>`,
  close: (key) => `${MINIMAX}</${key}>`,
  breaks: "needed",
  between: "",
};
const KIMI: ParameterStyle = {
  open: (key, value) => `<|open|>argument key="${key}" type="${typeOf(value)}"<|sep|>`,
  close: () => "<|close|>argument<|sep|>",
  breaks: "needed",
  between: "",
};

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Parameters on lines of their own, where there are any. */
function lines(call: WrittenCall, style: ParameterStyle): string {
  const written = parameters(call, style);
  return written === "" ? "\n" : `\n${written}\n`;
}

/** Calls as `<invoke name="…">` inside a tag around all of them. */
function invokes(
  around: string,
  prefix = "",
  style: ParameterStyle = attribute(`${prefix}parameter`),
): Style {
  const tag = `${prefix}invoke`;
  const write = (call: WrittenCall): string => `<${tag} name="${call.name}">${lines(call, style)}</${tag}>`;
  return each("", "", write, {
    before: `<${around}>\n`,
    after: `\n</${around}>`,
    result: taggedResult("function_results"),
  });
}

const functionEquals = (call: WrittenCall): string =>
  `<function=${call.name}>${lines(call, EQUALS)}</function>`;
const argumentPairs = (call: WrittenCall): string => `${call.name}${lines(call, ARGUMENTS)}`;

/** Dialects whose parameters are tags of their own. Without a schema their values are text. */
export const MARKUP_DIALECTS = [
  {
    name: "strix",
    models: "Strix, OpenHands",
    tags: ["function"],
    style: each("", "", (call) => `<function=${call.name}>${lines(call, ESCAPED)}</function>`, {
      result: taggedResult("tool_result"),
    }),
  },
  {
    name: "function-xml",
    models: "weak models that write attributes",
    tags: ["function"],
    style: each(
      "",
      "",
      (call) =>
        `<function name="${call.name}">${lines(call, { ...attribute("parameter"), escape: escapeMarkup })}</function>`,
    ),
  },
  {
    name: "minicpm5",
    models: "MiniCPM 4 and 5",
    tags: ["function"],
    style: each(
      "",
      "",
      (call) =>
        `<function name="${call.name}">${parameters(call, { ...attribute("param"), escape: escapeMarkup, between: "" })}</function>`,
    ),
  },
  {
    name: "qwen3-coder",
    models: "Qwen 3 Coder, Nemotron 3",
    tags: ["tool_call", "function"],
    style: each("<tool_call>\n", "\n</tool_call>", functionEquals),
  },
  {
    name: "seed-oss",
    models: "Seed OSS",
    tags: ["tool_call", "function"],
    style: each("<seed:tool_call>\n", "\n</seed:tool_call>", functionEquals),
  },
  {
    name: "anthropic-xml",
    models: "Claude before native calls, and models that imitate it",
    tags: ["function_calls", "invoke"],
    style: invokes("function_calls"),
  },
  {
    name: "anthropic-legacy",
    models: "Claude 2",
    tags: ["function_calls", "invoke"],
    style: each("<invoke>\n", "\n</invoke>", fields, {
      before: "<function_calls>\n",
      after: "\n</function_calls>",
      result: taggedResult("function_results"),
    }),
  },
  {
    name: "tool-name-xml",
    models: "weak models that write one tag for each part",
    tags: ["tool_call"],
    style: each("<tool_call>\n", "\n</tool_call>", fields),
  },
  {
    name: "tool-call-attribute",
    models: "weak models that write attributes",
    tags: ["tool_call"],
    style: each(
      "",
      "",
      (call) => `<tool_call name="${call.name}">${lines(call, attribute("parameter"))}</tool_call>`,
    ),
  },
  {
    name: "minimax-m2",
    models: "MiniMax M2",
    tags: ["tool_call", "invoke"],
    style: invokes("minimax:tool_call"),
  },
  {
    name: "minimax-m3",
    models: "MiniMax M3",
    tags: ["tool_call", "invoke"],
    style: each(
      "",
      `${MINIMAX}</invoke>`,
      (call) => `${MINIMAX}<invoke name="${call.name}">${parameters(call, MINIMAX_CHILDREN)}`,
      {
        before: `${MINIMAX}<tool_call>`,
        after: `${MINIMAX}</tool_call>`,
        between: "",
      },
    ),
  },
  {
    name: "dots",
    models: "dots.llm",
    tags: ["dots_function_call", "invoke"],
    style: invokes("dots_function_call"),
  },
  {
    name: "muse-glimmer",
    models: "Muse Glimmer",
    tags: ["function_calls", "invoke"],
    bare: ["header"],
    style: each("", "", addressed, { between: "<|eom|>", result: taggedResult("function_results") }),
  },
  {
    name: "deepseek-v32",
    models: "DeepSeek V3.2",
    tags: ["function_calls", "invoke"],
    style: invokes("｜DSML｜function_calls", "｜DSML｜", DSML),
  },
  {
    name: "deepseek-v4",
    models: "DeepSeek V4",
    tags: ["tool_calls", "invoke"],
    style: invokes("｜DSML｜tool_calls", "｜DSML｜", DSML),
  },
  {
    name: "step3",
    models: "Step 3",
    tags: ["invoke"],
    tokens: ["tool_calls_begin", "tool_call_begin"],
    style: each(
      "<｜tool_call_begin｜>",
      "<｜tool_call_end｜>",
      (call) =>
        `<steptml:invoke name="${call.name}">${parameters(call, attribute("steptml:parameter"))}</steptml:invoke>`,
      { before: "<｜tool_calls_begin｜>", after: "<｜tool_calls_end｜>", between: "" },
    ),
  },
  {
    name: "kimi-k3",
    models: "Kimi K3",
    tags: ["tools", "call"],
    style: each(
      "",
      "<|close|>call<|sep|>",
      (call, index) =>
        `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${parameters(call, KIMI)}`,
      { before: "<|open|>tools<|sep|>", after: "<|close|>tools<|sep|>", between: "" },
    ),
  },
  {
    name: "glm45",
    models: "GLM 4.5 and 4.6",
    tags: ["tool_call"],
    style: each("<tool_call>", "</tool_call>", argumentPairs),
  },
  {
    name: "glm47",
    models: "GLM 4.7",
    tags: ["tool_call"],
    style: each(
      "<tool_call>",
      "</tool_call>",
      (call) => argumentPairs(call).replaceAll(/>\n<arg|\n$/g, (found) => found.replace("\n", "")),
      { between: "" },
    ),
  },
  {
    name: "poolside",
    models: "Poolside",
    tags: ["tool_call"],
    style: each("<tool_call>", "</tool_call>", argumentPairs),
  },
  {
    name: "hunyuan",
    models: "Hunyuan 3",
    tags: ["tool_calls", "tool_call"],
    style: each("<tool_call>", "</tool_call>", (call) => `${call.name}<tool_sep>${lines(call, ARGUMENTS)}`, {
      before: "<tool_calls>\n",
      after: "\n</tool_calls>",
    }),
  },
  {
    name: "cline",
    models: "Cline, Roo Code",
    bare: ["tool-tag"],
    style: each("", "", (call) => `<${call.name}>${lines(call, CHILDREN)}</${call.name}>`),
  },
] as const satisfies readonly Dialect[];

function fields(call: WrittenCall): string {
  const written = parameters(call, { ...CHILDREN, escape: escapeMarkup });
  return `<tool_name>${call.name}</tool_name>\n<parameters>\n${written}\n</parameters>`;
}

function addressed(call: WrittenCall): string {
  const written = invokes("atem:function_calls", "atem:").calls([call]);
  return `<|start|>assistant to=${call.name}<|message|>${written}`;
}
