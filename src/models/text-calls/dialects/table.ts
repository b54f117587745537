/**
 * One dialect: the models that write it, what begins a call in it, a call as it is written, and a result if not as usual. Instead of
 * the last three, `=name` means "written as in the dialect of that name".
 *
 * Begins a call: `<tag>`, `<|token|>`, or the name of a `BareForm`.
 *
 * In a call:
 * - `«…»` encloses what is repeated for each call, `‹…›` for each parameter. They are separated by a line break, or by the text after `┊`.
 * - `$name` is the tool's name, `$key` the same as a JSON string, `$index` and `$number` the position from 0 and from 1.
 * - `$input` is the input as JSON, `$keywords` as Python keyword arguments, `$gemma3` and `$gemma4` in Gemma's notations.
 * - `$parameter` is a parameter's name, `$type` its JSON type, `$isText` whether that is string. `$raw` is its value, `$value` the value
 *   in line breaks if it would lose its own, and `&` after either escapes markup.
 *
 * In a result: `$result` is JSON with name and content, `$content` the content as a JSON string, `$text` the content as it is.
 */
export type Row =
  | readonly [models: string, sameAs: `=${string}`]
  | readonly [models: string, opens: string, call: string, result?: string];

const JSON_CALL = '{"name":$key,"arguments":$input}';
const EQUALS = "<function=$name>\n‹<parameter=$parameter>\n$raw\n</parameter>›\n</function>";
const INVOKE = '<invoke name="$name">\n‹<parameter name="$parameter">$value</parameter>›\n</invoke>';
const FIELDS =
  "<tool_name>$name</tool_name>\n<parameters>\n‹<$parameter>$value&</$parameter>›\n</parameters>";
const PAIRS = "‹<arg_key>$parameter</arg_key>\n<arg_value>$raw</arg_value>›";
const DSML =
  '<｜DSML｜invoke name="$name">\n‹<｜DSML｜parameter name="$parameter" string="$isText">$value</｜DSML｜parameter>›\n</｜DSML｜invoke>';
const ATEM =
  '<atem:invoke name="$name">\n‹<atem:parameter name="$parameter">$value</atem:parameter>›\n</atem:invoke>';
const STEP =
  '<steptml:invoke name="$name">‹<steptml:parameter name="$parameter">$value</steptml:parameter>›</steptml:invoke>';
const M = "]<]minimax[>[";
const FUNCTION_RESULTS = "<function_results>\n$result\n</function_results>";
const MISTRAL_RESULT = "[TOOL_RESULTS]$result[/TOOL_RESULTS]";
const DEEPSEEK_RESULT = "<｜tool▁output▁begin｜>$result<｜tool▁output▁end｜>";

/** All dialects by name. First those whose calls are JSON, then those with a tag for each parameter, then those that begin with the tool's name. */
// oxfmt-ignore
export const TABLE = {
  hermes: ["Hermes 2 Pro and later, Qwen 2.5, Qwen 3, Bielik 3, MiMo VL", "<tool_call>", `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  granite4: ["Granite 4 and 4.1", "=hermes"],
  trinity: ["Trinity", "=hermes"],
  ernie: ["Ernie 4.5", "<tool_call>", `<tool_call>\n${JSON_CALL}\n</tool_call>\n`],
  reka: ["Reka Edge", "<tool_call>", `<tool_call>\n${JSON_CALL}</tool_call>`],
  apriel: ["Apriel 1.5 and 1.6", "<tool_calls>", `<tool_calls>[«${JSON_CALL}┊, »]</tool_calls>`],
  "hunyuan-a13b": ["Hunyuan A13B", "=apriel"],
  jamba: ["Jamba 1.5 and later", "=apriel"],
  "minimax-m1": ["MiniMax M1", "<tool_calls>", `<tool_calls>\n«${JSON_CALL}»\n</tool_calls>`],
  nemotron: ["Nemotron Nano v2", "<toolcall>", `<TOOLCALL>[«${JSON_CALL}┊, »]</TOOLCALL>`],
  longcat: ["LongCat Flash", "<tool_call>", `<longcat_tool_call>${JSON_CALL}</longcat_tool_call>`],
  "granite-20b": ["Granite 20B function calling", "<function_call>", `<function_call> ${JSON_CALL}`],
  "tool-use": ["weak models that were shown JSON in tags", "<tool_use> <tool_request> <functioncall> <function_call>", `<tool_use>\n${JSON_CALL}\n</tool_use>`],
  granite3: ["Granite 3", "<|tool_call|>", `<|tool_call|>[«${JSON_CALL}┊, »]`],
  phi4: ["Phi 4", "<|tool_call|> <|tool_calls|>", `<|tool_call|>[«${JSON_CALL}┊, »]<|/tool_call|>`],
  sarashina: ["Sarashina 2.2", "<|tool_calls|>", `<|tool_calls|>[«${JSON_CALL}┊, »]`],
  gigachat3: ["GigaChat 3 and 3.1", "<|function_call|>", `<|function_call|>${JSON_CALL}`],
  "command-r7b": ["Command R7B, Command A, Command 4 (Cohere2 MoE)", "<|start_action|>", '<|START_ACTION|>[«{"tool_name":$key,"parameters":$input}┊, »]<|END_ACTION|>', "<|START_TOOL_RESULT|>$result<|END_TOOL_RESULT|>"],
  "command-r-plus": ["Command R, Command R+", "react json", 'Action:\n```json\n[«{"tool_name":$key,"parameters":$input}┊, »]\n```'],
  inkling: ["Inkling", "<|content_invoke_tool_json|> header", '<|content_invoke_tool_json|>{"name":$key,"args":$input}<|end_message|>'],
  internlm2: ["InternLM 2 and later, Intern S1", "<|action_start|>", '<|action_start|><|plugin|>{"name":$key,"parameters":$input}<|action_end|>'],
  apertus: ["Apertus", "<|tools_prefix|>", "<|tools_prefix|>[«{$key:$input}┊, »]<|tools_suffix|>"],
  "llama3-json": ["Llama 3.1, 3.2 and 3.3", "<|python_tag|> json", '«{"name":$key,"parameters":$input}┊; »'],
  "mistral-json": ["Mistral 7B, Mixtral, Mistral Nemo", "mistral", `[TOOL_CALLS][«${JSON_CALL}┊, »]`, MISTRAL_RESULT],
  xlam: ["xLAM", "json", `[«${JSON_CALL}┊, »]`],
  "fenced-json": ["models without a dialect of their own", "json", `\`\`\`json\n[«${JSON_CALL}┊, »]\n\`\`\``],
  firefunction: ["Firefunction v2", "functools", ` functools[«${JSON_CALL}┊, »]`],
  "phi4-mini": ["Phi 4 mini", "functools", `functools[«${JSON_CALL}┊, »]`],

  strix: ["Strix, OpenHands", "<function>", EQUALS.replace("$raw", "$raw&"), "<tool_result>\n$result\n</tool_result>"],
  "function-xml": ["weak models that write attributes", "<function>", '<function name="$name">\n‹<parameter name="$parameter">$value&</parameter>›\n</function>'],
  minicpm5: ["MiniCPM 4 and 5", "<function>", '<function name="$name">‹<param name="$parameter">$value&</param>┊›</function>'],
  "qwen3-coder": ["Qwen 3 Coder, Qwen 3.5, Ornith, Nemotron 3 and 3.5", "<tool_call> <function>", `<tool_call>\n${EQUALS}\n</tool_call>`],
  "k-exaone": ["K-EXAONE", "=qwen3-coder"],
  mimo: ["MiMo", "=qwen3-coder"],
  step35: ["Step 3.5", "=qwen3-coder"],
  "seed-oss": ["Seed OSS", "<tool_call> <function>", `<seed:tool_call>\n${EQUALS}\n</seed:tool_call>`],
  "anthropic-xml": ["Claude before native calls, and models that imitate it", "<function_calls> <invoke>", `<function_calls>\n«${INVOKE}»\n</function_calls>`, FUNCTION_RESULTS],
  "anthropic-legacy": ["Claude 2", "<function_calls> <invoke>", `<function_calls>\n«<invoke>\n${FIELDS}\n</invoke>»\n</function_calls>`, FUNCTION_RESULTS],
  "tool-name-xml": ["weak models that write one tag for each part", "<tool_call>", `<tool_call>\n${FIELDS}\n</tool_call>`],
  "tool-call-attribute": ["weak models that write attributes", "<tool_call>", '<tool_call name="$name">\n‹<parameter name="$parameter">$value</parameter>›\n</tool_call>'],
  "minimax-m2": ["MiniMax M2", "<tool_call> <invoke>", `<minimax:tool_call>\n«${INVOKE}»\n</minimax:tool_call>`, FUNCTION_RESULTS],
  "minimax-m3": ["MiniMax M3", "<tool_call> <invoke>", `${M}<tool_call>«${M}<invoke name="$name">‹${M}<$parameter>$value${M}</$parameter>┊›${M}</invoke>┊»${M}</tool_call>`],
  dots: ["dots.llm", "<dots_function_call> <invoke>", `<dots_function_call>\n«${INVOKE}»\n</dots_function_call>`, FUNCTION_RESULTS],
  "muse-glimmer": ["Muse Glimmer", "<function_calls> <invoke> header", `«<|start|>assistant to=$name<|message|><atem:function_calls>\n${ATEM}\n</atem:function_calls>┊<|eom|>»`, FUNCTION_RESULTS],
  "deepseek-v32": ["DeepSeek V3.2", "<function_calls> <invoke>", `<｜DSML｜function_calls>\n«${DSML}»\n</｜DSML｜function_calls>`, FUNCTION_RESULTS],
  "deepseek-v4": ["DeepSeek V4", "<tool_calls> <invoke>", `<｜DSML｜tool_calls>\n«${DSML}»\n</｜DSML｜tool_calls>`, FUNCTION_RESULTS],
  step3: ["Step 3", "<invoke> <|tool_calls_begin|> <|tool_call_begin|>", `<｜tool_calls_begin｜>«<｜tool_call_begin｜>${STEP}<｜tool_call_end｜>┊»<｜tool_calls_end｜>`],
  "kimi-k3": ["Kimi K3", "<tools> <call>", '<|open|>tools<|sep|>«<|open|>call tool="$name" index="$number"<|sep|>‹<|open|>argument key="$parameter" type="$type"<|sep|>$value<|close|>argument<|sep|>┊›<|close|>call<|sep|>┊»<|close|>tools<|sep|>'],
  glm45: ["GLM 4.5 and 4.6", "<tool_call>", `<tool_call>$name\n${PAIRS}\n</tool_call>`],
  glm47: ["GLM 4.7, GLM 5, GLM-OCR", "<tool_call>", "«<tool_call>$name\n‹<arg_key>$parameter</arg_key><arg_value>$raw</arg_value>┊›</tool_call>┊»"],
  ling3: ["Ling 3", "=glm47"],
  poolside: ["Poolside Laguna", "=glm45"],
  hunyuan: ["Hunyuan 3", "<tool_calls> <tool_call>", `<tool_calls>\n«<tool_call>$name<tool_sep>\n${PAIRS}\n</tool_call>»\n</tool_calls>`],
  cline: ["Cline, Roo Code", "tool-tag", "<$name>\n‹<$parameter>$value</$parameter>›\n</$name>"],

  mistral: ["Mistral Small 3.1, Magistral", "mistral", "«[TOOL_CALLS]$name$input┊»", MISTRAL_RESULT],
  "mistral-args": ["Devstral, Ministral 3", "mistral", "«[TOOL_CALLS]$name[ARGS]$input┊»", MISTRAL_RESULT],
  "deepseek-v3": ["DeepSeek V2, V3 and R1, Cogito", "<|tool_calls_begin|> <|tool_calls|> <|tool_call_begin|>", "<｜tool▁calls▁begin｜>«<｜tool▁call▁begin｜>function<｜tool▁sep｜>$name\n```json\n$input\n```<｜tool▁call▁end｜>»<｜tool▁calls▁end｜>", DEEPSEEK_RESULT],
  "deepseek-v31": ["DeepSeek V3.1", "<|tool_calls_begin|> <|tool_call_begin|>", "<｜tool▁calls▁begin｜>«<｜tool▁call▁begin｜>$name<｜tool▁sep｜>$input<｜tool▁call▁end｜>┊»<｜tool▁calls▁end｜>", DEEPSEEK_RESULT],
  "kimi-k2": ["Kimi K2", "<|tool_calls_section_begin|> <|tool_call_section_begin|> <|tool_call_begin|>", "<|tool_calls_section_begin|>«<|tool_call_begin|>functions.$name:$index<|tool_call_argument_begin|>$input<|tool_call_end|>┊»<|tool_calls_section_end|>"],
  "solar-open": ["Solar Open", "<|tool_calls|> <|tool_call:begin|>", "<|tool_calls|>«<|tool_call:begin|>$index<|tool_call:name|>$name<|tool_call:args|>$input<|tool_call:end|>┊»", "<|tool_response:begin|><|tool_response:name|>$name<|tool_response:result|>$content<|tool_response:end|>"],
  "gpt-oss": ["gpt-oss (harmony)", "header", "«<|start|>assistant<|channel|>commentary to=functions.$name <|constrain|>json<|message|>$input<|call|>┊»", "<|start|>functions.$name to=assistant<|channel|>commentary<|message|>$content<|end|>"],
  "functionary-v31": ["Functionary v3.1, Llama 3 as it was first prompted", "<function>", "<function=$name>$input</function>"],
  "functionary-v32": ["Functionary v3.2", "named-line", ">>>$name\n$input"],
  gemma4: ["Gemma 4", "<|half_tool_call|>", "«<|tool_call>call:$name$gemma4<tool_call|>┊»"],
  functiongemma: ["FunctionGemma", "<start_function_call>", "«<start_function_call>call:$name$gemma3<end_function_call>┊»"],
  pythonic: ["Llama 3.2, ToolACE and others", "<|python_start|> pythonic", "[«$name($keywords)┊, »]"],
  "llama4-pythonic": ["Llama 4", "<|python_start|> pythonic", "<|python_start|>[«$name($keywords)┊, »]<|python_end|>"],
  lfm2: ["LFM 2 and 2.5", "<|tool_call_start|>", "<|tool_call_start|>[«$name($keywords)┊, »]<|tool_call_end|>"],
  olmo3: ["OLMo 3", "<function_calls>", "<function_calls>«$name($keywords)»</function_calls>"],
  react: ["any model with a ReAct prompt", "react", "Action: $name\nAction Input: $input", "Observation: $text"],
} satisfies Readonly<Record<string, Row>>;
