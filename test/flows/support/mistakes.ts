/** A command line that a newcomer types wrongly. */
export interface Mistake {
  readonly what: string;
  readonly args: readonly string[];
  /** What the message must say: the way out. */
  readonly says?: RegExp;
  /** What standard output must say. */
  readonly prints?: RegExp;
  /** Default: 2. */
  readonly code?: number;
  readonly config?: string;
  /** The rules of the user. */
  readonly policy?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export const MISTAKES: readonly Mistake[] = [
  { what: "a misspelt command", args: ["cal", "ls"], says: /unknown command "cal".*did you mean call/s },
  { what: "a word that is no command", args: ["hello"], says: /toolwright run "hello"/ },
  { what: "a misspelt tool", args: ["call", "read_fil", "path=a"], says: /did you mean read_file/i },
  { what: "a misspelt tool with a value", args: ["call", "read_fil", "a"], says: /did you mean read_file/i },
  {
    what: "a tool of agents",
    args: ["call", "subagent", "task"],
    says: /exists only in sessions of an agent/,
  },
  {
    what: "a tool of agents to explain",
    args: ["explain", "subagent", "task"],
    says: /exists only in sessions of an agent/,
  },
  { what: "an empty value", args: ["call", "glob", ""], says: /at least 1 character,/ },
  { what: "no tool", args: ["call"], says: /missing tool name: toolwright call NAME/ },
  {
    what: "a misspelt flag",
    args: ["call", "ls", "--jsno"],
    says: /unknown flag --jsno.*did you mean --json/s,
  },
  {
    what: "a flag without its value",
    args: ["call", "ls", "--mode"],
    says: /--mode needs a value: --mode MODE/,
  },
  { what: "an unknown mode", args: ["call", "ls", "--mode", "edit"], says: /did you mean edits/ },
  {
    what: "a value for a switch",
    args: ["call", "ls", "--json=1"],
    says: /--json takes no value; write --json alone/,
  },
  { what: "a misspelt parameter", args: ["call", "read_file", "pth=a"], says: /pth.*path/s },
  { what: "a missing parameter", args: ["call", "read_file"], says: /path/ },
  {
    what: "a wrong type",
    args: ["call", "read_file", "path=a", "offset=ten"],
    says: /start_line: expected integer, got string "ten"/,
  },
  {
    what: "two bare values",
    args: ["call", "shell", "git", "status"],
    says: /unexpected argument "status".*quote/s,
  },
  {
    what: "a bare value where two are required",
    args: ["call", "write_file", "a.txt"],
    says: /did you mean path=a\.txt/,
  },
  { what: "a parameter twice", args: ["call", "read_file", "path=a", "path=b"], says: /path is given twice/ },
  {
    what: "input that is not JSON",
    args: ["call", "ls", "--args", "{path: 1}"],
    says: /--args is not valid JSON/,
  },
  {
    what: "a missing file",
    args: ["call", "read_file", "nope.txt"],
    code: 1,
    says: /nope\.txt.*use glob or ls/s,
  },
  {
    what: "a path outside",
    args: ["call", "read_file", "/opt/passwd"],
    code: 3,
    says: /outside the workspace.*toolwright policy allow --access read --path '\/opt\/\*\*'.*--yes/s,
  },
  {
    what: "an effect without approval",
    args: ["call", "shell", "touch x"],
    code: 3,
    says: /add --yes for this call/,
  },
  {
    what: "a background process",
    args: ["call", "shell", "sleep 9", "background=true"],
    says: /background process.*toolwright chat/s,
  },
  {
    what: "a terminal",
    args: ["call", "shell", "ls", "terminal_id=a"],
    says: /terminal: it would end.*toolwright chat/s,
  },
  {
    what: "a time that is no number",
    args: ["call", "ls", "--timeout", "soon"],
    says: /timeout.*number.*soon/s,
  },
  { what: "no task", args: ["run"], says: /missing task: toolwright run "TASK"/ },
  { what: "no model", args: ["run", "hi"], says: /--model|toolwright config|TOOLWRIGHT_MODEL/ },
  { what: "a model without its provider", args: ["run", "hi", "--model", "gpt"], says: /provider\/name/ },
  { what: "an unknown provider", args: ["run", "hi", "--model", "antropic/x"], says: /anthropic/ },
  { what: "a missing key", args: ["run", "hi", "--model", "openai/gpt-5"], says: /OPENAI_API_KEY/, code: 1 },
  {
    what: "a limit that is no number",
    args: ["run", "hi", "--max-turns", "few"],
    says: /"few" for --max-turns; expected a whole number/,
  },
  {
    what: "no such session",
    args: ["run", "hi", "--resume", "nope", "--model", "scripted/s.jsonl"],
    says: /toolwright sessions/,
  },
  {
    what: "nothing to continue",
    args: ["-c", "hi", "--model", "scripted/s.jsonl"],
    says: /no conversation is stored for this folder.*leave out --continue/s,
  },
  {
    what: "an unknown session",
    args: ["sessions", "show", "nope"],
    says: /no stored session has the id "nope".*toolwright sessions/s,
  },
  {
    what: "an unknown action",
    args: ["sessions", "shwo"],
    says: /unknown action "shwo".*did you mean show/s,
  },
  {
    what: "an unknown call",
    args: ["trace", "nope"],
    says: /no stored call has the id "nope".*toolwright trace/s,
  },
  {
    what: "an unknown setting",
    args: ["config", "get", "mod"],
    says: /unknown setting "mod".*did you mean mode/s,
  },
  {
    what: "an invalid value of a setting",
    args: ["config", "set", "mode", "fast"],
    says: /mode: expected one of.*"edits"/,
  },
  {
    what: "a setting without a value",
    args: ["config", "set", "mode"],
    says: /missing value: toolwright config set KEY VALUE/,
  },
  {
    what: "a config that is not JSON",
    args: ["call", "ls"],
    config: '{"mode": auto}',
    says: /config\.json:1:\d+: not valid JSON/,
  },
  {
    what: "an invalid value in the config",
    args: ["call", "ls"],
    config: '{"mode": 1}',
    says: /config\.json:1:\d+: mode: expected string, got integer 1/,
  },
  {
    what: "a misspelt key in the config",
    args: ["call", "ls"],
    config: '{"mdoe": "auto"}',
    code: 0,
    says: /mdoe.*mode/s,
  },
  {
    what: "a misspelt variable",
    args: ["call", "ls"],
    environment: { TOOLWRIGHT_MOD: "ask" },
    code: 0,
    says: /TOOLWRIGHT_MOD has no effect; did you mean TOOLWRIGHT_MODE/,
  },
  {
    what: "an invalid variable",
    args: ["call", "ls"],
    environment: { TOOLWRIGHT_MODE: "fast" },
    says: /TOOLWRIGHT_MODE: expected one of/,
  },
  {
    what: "an unknown profile",
    args: ["call", "ls", "--profile", "wrok"],
    says: /unknown profile "wrok".*expected default/s,
  },
  {
    what: "a rule without a condition",
    args: ["policy", "allow"],
    says: /missing rule.*would decide every call/s,
  },
  {
    what: "a rule for an interpreter",
    args: ["policy", "allow", "--command", "node x.js"],
    code: 0,
    says: /warning: node is an interpreter and can run anything/,
  },
  { what: "an unknown item to trust", args: ["trust", "rule:nope"], says: /unknown item "rule:nope"/ },
  { what: "an unknown shell", args: ["completion", "tcsh"], says: /expected bash, zsh, fish/ },
  { what: "a tool without a language", args: ["tool", "new", "x"], says: /--lang sh\|python/ },
  {
    what: "an unknown MCP server",
    args: ["mcp", "test", "nope"],
    says: /nope.*(?:mcp add|mcp list|no MCP servers)/s,
  },
  {
    what: "a parameter as a flag",
    args: ["call", "read_file", "--path", "a.md"],
    says: /toolwright call read_file path=a\.md/,
  },
  {
    what: "a command without quotes",
    args: ["call", "shell", "ls", "-la"],
    says: /toolwright call shell 'ls -la'/,
  },
  {
    what: "a command to explain without quotes",
    args: ["explain", "rm", "-rf", "/"],
    says: /toolwright explain 'rm -rf \/'/,
  },
  { what: "a program to explain", args: ["explain", "pytest"], code: 0, prints: /^ask/ },
  {
    what: "input that is cut off",
    args: ["call", "ls", "--args", "{bad"],
    says: /--args is not valid JSON: .*column 2.*--args '\{"path": "\."\}'/s,
  },
  { what: "input in a file", args: ["call", "ls", "--args", "@f.json"], says: /--args - < f\.json/ },
  {
    what: "a model of a known family",
    args: ["run", "x", "--model", "gpt-4"],
    says: /did you mean openai\/gpt-4\?/,
  },
  {
    what: "a local server that does not run",
    args: ["run", "x", "--model", "ollama/qwen3"],
    code: 1,
    environment: { OLLAMA_HOST: "http://127.0.0.1:65533" },
    says: /no server is running at http:\/\/127\.0\.0\.1:65533\n {2}start it with: ollama serve/,
  },
  {
    what: "a server without an address",
    args: ["run", "x", "--model", "compatible/x"],
    says: /toolwright config set models\.compatible\.baseUrl URL/,
  },
  {
    what: "a setting of a model",
    args: ["config", "set", "baseUrl", "x"],
    says: /models\.PROVIDER\/NAME\.baseUrl VALUE/,
  },
  { what: "a tool in place of a command", args: ["ls", "src"], says: /toolwright call ls src/ },
  {
    what: "a store in a file",
    args: ["call", "ls"],
    code: 1,
    environment: { TOOLWRIGHT_STORE: "/etc/hosts/x" },
    says: /ENOTDIR.*use another store: --store FOLDER/s,
  },
  {
    what: "an MCP server with a misspelt key",
    args: ["tools"],
    code: 0,
    config: '{"mcpServers": {"f": {"comand": "npx"}}}',
    says: /the MCP server "f" is ignored: .*did you mean "command"\?; see toolwright mcp list/,
  },
  { what: "a misspelt help", args: ["hepl"], says: /did you mean help/ },
  {
    what: "a port that is none",
    args: ["serve", "--port", "99999"],
    says: /"99999" for --port; expected a port/,
  },
  {
    what: "an unknown MCP client",
    args: ["mcp", "install", "emacs"],
    says: /expected|clients are|claude-code/,
  },
  { what: "a server without a name", args: ["mcp", "add"], says: /toolwright mcp add NAME/ },
  { what: "an approval of an unknown call", args: ["approve", "zz"], says: /toolwright approve/ },
  { what: "an unknown checkpoint", args: ["restore", "zz"], says: /toolwright restore/ },
  { what: "an unknown entry of the trash", args: ["trash", "restore", "zz"], says: /toolwright trash/ },
  { what: "a language that is none", args: ["tool", "new", "x", "--lang", "cobol"], says: /expected|python/ },
  { what: "a fleet that is not configured", args: ["fleet"], says: /fleet\.servers|fleet init/ },
  { what: "a misspelt setting of a policy", args: ["policy", "chekc"], says: /did you mean check/ },
  {
    what: "a sandbox without a kind",
    args: ["call", "ls", "--sandbox"],
    says: /--sandbox needs a value: --sandbox KIND/,
  },
  { what: "a network address without --network", args: ["serve", "--host", "0.0.0.0"], says: /--network/ },
];
