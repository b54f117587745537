import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../../test/support/files/shared-data.ts";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../test/support/models/text-calls.ts";
import type { TextReaderOptions } from "./create-text-reader.ts";
import type { DialectName } from "./dialects/dialects.ts";

interface Sample {
  readonly format: string;
  readonly source: string;
  readonly text: string;
  readonly expected: {
    readonly content: string | null;
    readonly reasoning: string | null;
    /** Null if the text is malformed and must be reported to the model. */
    readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[] | null;
  };
  readonly tools?: readonly { readonly name: string; readonly parameters?: JsonObject }[];
}

/** The dialect of each format of the samples. */
const DIALECT_OF: Readonly<Record<string, DialectName>> = {
  anthropic_invoke_name_xml: "anthropic-xml",
  anthropic_legacy_xml: "anthropic-legacy",
  apertus: "apertus",
  apriel_tool_calls: "apriel",
  cline_xml: "cline",
  cohere2moe: "command-r7b",
  cohere_action_json: "command-r7b",
  cohere_command_r_plus: "command-r-plus",
  deepseek_v31: "deepseek-v31",
  deepseek_v32_dsml: "deepseek-v32",
  deepseek_v3_r1: "deepseek-v3",
  deepseek_v4_dsml: "deepseek-v4",
  dots: "dots",
  ernie45: "ernie",
  firefunction_functools: "firefunction",
  function_name_attr_xml: "function-xml",
  functionary_v31_function_json: "functionary-v31",
  functionary_v32: "functionary-v32",
  functiongemma: "functiongemma",
  gemma4: "gemma4",
  gigachat3: "gigachat3",
  glm45_arg_key: "glm45",
  glm47_arg_key: "glm47",
  gpt_oss_harmony: "gpt-oss",
  granite20b_function_call: "granite-20b",
  granite3_tool_call_array: "granite3",
  hermes_tool_call_json: "hermes",
  hunyuan: "hunyuan",
  hunyuan_a13b_tool_calls: "hunyuan-a13b",
  inkling: "inkling",
  internlm2_plugin: "internlm2",
  jamba_tool_calls: "jamba",
  kimi_k2: "kimi-k2",
  kimi_k3: "kimi-k3",
  lfm2_pythonic: "lfm2",
  llama3_json: "llama3-json",
  llama4_pythonic: "llama4-pythonic",
  longcat: "longcat",
  minicpm5_xml: "minicpm5",
  minimax_m2_invoke: "minimax-m2",
  minimax_m3: "minimax-m3",
  mistral: "mistral",
  mistral_args: "mistral-args",
  mistral_json_array: "mistral-json",
  muse_glimmer: "muse-glimmer",
  nemotron_v2_TOOLCALL: "nemotron",
  olmo3_function_calls: "olmo3",
  phi4mini_functools: "phi4-mini",
  poolside_v1: "poolside",
  pythonic_list: "pythonic",
  qwen3_coder_xml: "qwen3-coder",
  react_action_input: "react",
  reka_edge: "reka",
  seed_oss_xml: "seed-oss",
  step3_steptml: "step3",
  strix_openhands_function_parameter: "strix",
  tool_call_name_attr_xml: "tool-call-attribute",
  tool_name_parameters_xml: "tool-name-xml",
  xlam_json_array: "xlam",
};

/** The distance between two cuts; a usual run starts at another place in each sample. */
const STEP = isLong ? 1 : 7;

/** Samples with a value that is cut off: upstream runs the incomplete call, which is never done here. */
const CUT_OFF = /test_incomplete_tool_call$/;

/** Samples with reasoning, which is text here, with its markers; upstream removes it from the text. */
const REASONING = /^[\s\S]*<\/think>|<\|(?:START|END)_THINKING\|>|^[\s\S]*<\|close\|>think<\|sep\|>|<think>/g;

const samples =
  withoutSharedData === false
    ? (readJsonLines(sharedData("toolcall-formats.jsonl")) as readonly Sample[])
    : [];

test("there are samples, and every format has a dialect", { skip: withoutSharedData }, (t) => {
  const missed = samples.filter(({ source }) => CUT_OFF.test(source));
  t.diagnostic(`${samples.length} cases, we miss ${missed.length}`);
  assert.ok(samples.length > 100);
  assert.deepEqual(
    samples.map(({ format }) => format).filter((format) => DIALECT_OF[format] === undefined),
    [],
  );
});

for (const [index, sample] of samples.entries()) {
  test(`sample ${index} (${sample.format}) is read as expected, in its dialect and by auto, wherever it is cut`, () => {
    for (const dialect of [DIALECT_OF[sample.format] ?? "auto", "auto"] as const)
      check(sample, optionsOf(sample, dialect), 1 + (index % STEP));
  });
}

test("a sample that is cut off anywhere has only complete calls", { skip: withoutSharedData }, () => {
  for (const [index, sample] of samples.entries()) {
    const options = optionsOf(sample, "auto");
    const whole = callsOf(readWhole(sample.text, options, "length"));
    for (let end = index % STEP; end < sample.text.length; end += STEP) {
      const calls = callsOf(readWhole(sample.text.slice(0, end), options, "length"));
      assert.deepEqual(calls, whole.slice(0, calls.length), `${sample.format}: ${sample.text.slice(0, end)}`);
    }
  }
});

function optionsOf({ tools = [] }: Sample, dialect: DialectName | "auto"): TextReaderOptions {
  return {
    dialect,
    tools: tools.map(({ name, parameters = {} }) => ({ name, input: parameters })),
    unlisted: "problem",
  };
}

function check({ text, expected, source }: Sample, options: TextReaderOptions, firstCut: number): void {
  const pieces = readWhole(text, options);
  const isUnreadable = expected.calls === null || CUT_OFF.test(source);
  const calls = isUnreadable ? [] : (expected.calls ?? []);
  assert.deepEqual(
    callsOf(pieces),
    calls.map(({ name, arguments: input }) => ({ name, input })),
    JSON.stringify(pieces),
  );
  if (isUnreadable) assert.ok(pieces.some(({ kind }) => kind === "problem"));
  if (expected.content !== null) {
    const text = textOf(pieces).trim();
    const content = expected.content.trim();
    const shown = [text, text.replaceAll(REASONING, "").trim()];
    // Some upstream readers drop the text after calls.
    const isSame = shown.some((one) =>
      content === "" ? [content, expected.reasoning].includes(one) : one.startsWith(content),
    );
    assert.ok(isSame, `${JSON.stringify(text)} is not the text`);
  }
  assert.deepEqual(readParts(cut(text, [1]), options), pieces);
  for (let at = firstCut; at < text.length; at += STEP) {
    assert.deepEqual(readParts([text.slice(0, at), text.slice(at)], options), pieces, `cut at ${at}`);
  }
}
