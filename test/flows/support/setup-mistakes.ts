import type { Mistake } from "./mistakes.ts";

const SERVER = '{"mcpServers": {"f": {"command": "no-such-program"}}}';

/** Mistakes in settings, rules and what a machine lacks. */
export const SETUP_MISTAKES: readonly Mistake[] = [
  {
    what: "two values for a search",
    args: ["call", "grep", "foo", "src"],
    says: /unexpected argument "src": pattern is already given; quote/,
  },
  {
    what: "text for a number",
    args: ["call", "read_file", "path=a", "limit=abc"],
    says: /limit: expected integer, got string "abc"/,
  },
  {
    what: "a mode with a letter too many",
    args: ["call", "ls", "--mode", "yollo"],
    says: /did you mean yolo\?/,
  },
  {
    what: "a missing key of Anthropic",
    args: ["run", "hi", "--model", "anthropic/claude-sonnet-4-5"],
    says: /ANTHROPIC_API_KEY.*toolwright login anthropic/s,
    code: 1,
  },
  {
    what: "a value of the config that is none of its values",
    args: ["call", "ls"],
    config: '{"mode": "fast"}',
    says: /config\.json:1:\d+: mode: expected one of "yolo"/,
  },
  {
    what: "a number in quotes in the config",
    args: ["call", "ls"],
    config: '{"timeoutSeconds": "30"}',
    says: /timeoutSeconds: expected number, got string "30"/,
  },
  {
    what: "a model without its provider in the config",
    args: ["run", "hi"],
    config: '{"model": "gpt-5"}',
    says: /config\.json:1:\d+: model: expected provider\/name.*did you mean openai\/gpt-5\?/s,
  },
  {
    what: "the program of an MCP server that is not installed",
    args: ["mcp", "test", "f"],
    config: SERVER,
    code: 1,
    says: /f: cannot start no-such-program: no such program\n {2}toolwright config get mcpServers\.f/,
  },
  {
    what: "a store where none can be",
    args: ["call", "ls"],
    environment: { TOOLWRIGHT_STORE: "/proc/x" },
    code: 1,
    says: /\/proc\/x of the store cannot be created.*--store FOLDER/s,
  },
  {
    what: "a misspelt decision in a rule, checked",
    args: ["policy", "check"],
    policy: '{"rules": [{"tool": "shell", "decision": "alow"}]}',
    prints:
      /policy\.json:1:42: rules\[0\]\.decision: expected one of "allow", "ask", "deny", got string "alow"/,
  },
  {
    what: "a misspelt decision in a rule, at a call",
    args: ["call", "ls"],
    policy: '{"rules": [{"tool": "shell", "decision": "alow"}]}',
    code: 3,
    says: /policy\.json:1:42: rules\[0\]\.decision: expected one of "allow", "ask", "deny", got string "alow"/,
  },
  {
    what: "an unknown conversation to resume",
    args: ["chat", "--resume", "zz", "--model", "scripted/s.jsonl"],
    says: /no stored session has the id "zz"\n {2}toolwright sessions --all/,
  },
  { what: "an unknown tool to show", args: ["tool", "nope"], says: /toolwright tools --all lists them/ },
  {
    what: "a name that no tool can have",
    args: ["tool", "new", "a b", "--lang", "sh"],
    says: /invalid tool name "a b"\n {2}expected a letter/,
  },
  {
    what: "a shell that has no completion",
    args: ["completion", "powershell"],
    says: /expected bash, zsh, fish/,
  },
  {
    what: "a setting that is none",
    args: ["config", "get", "nope"],
    says: /unknown setting "nope"\n {2}settings: /,
  },
  {
    what: "a certificate that is not there",
    args: ["serve", "--cert", "no.pem", "--key", "no.key"],
    says: /no\.pem/,
  },
  {
    what: "an output format of no program",
    args: ["run", "hi", "--output-format", "yaml"],
    says: /expected text, json, stream-json/,
  },
  {
    what: "an MCP server with a misspelt key, at a call",
    args: ["call", "ls"],
    code: 0,
    config: '{"mcpServers": {"f": {"comand": "npx"}}}',
    says: /the MCP server "f" is ignored: .*did you mean "command"\?; see toolwright mcp list/,
  },
  {
    what: "a message without a model",
    args: ["chat", "hello"],
    says: /no model is set\n {2}choose one: \/model lists what can be used; toolwright init/,
  },
  {
    what: "an OpenAPI document that is not there",
    args: ["api", "add", "shop", "no.yaml"],
    says: /no\.yaml.*name the file or the address of an OpenAPI document/s,
  },
  {
    what: "a hook without fields",
    args: ["call", "ls"],
    config: '{"hooks": [{}]}',
    says: /hooks\[0\]\.action is missing/,
  },
  {
    what: "a root that does not exist",
    args: ["call", "ls"],
    code: 0,
    config: '{"roots": ["/no/such/folder"]}',
    says: /the root \/no\/such\/folder is ignored: no such folder; create it, or correct "roots"/,
  },
];
