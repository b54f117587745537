interface SharedMember {
  readonly name: string;
  /** The types of the member that have this meaning. */
  readonly type: RegExp;
  readonly sentence: string;
}

/** Members that mean the same in every type. A type in which one means something else has a sentence of its own above it. */
const SHARED_MEMBERS: readonly SharedMember[] = [
  member(
    "name",
    /string/,
    "What it is called in the program. A provider that refuses the name of a tool is shown another one.",
  ),
  member("description", /string/, "Read by models and people in order to choose."),
  member("text", /string/, "Plain text; in events, answers and the journal its secrets are masked."),
  member(
    "message",
    /string/,
    "A sentence for people and models. Programs decide by codes and kinds, not by its words.",
  ),
  member(
    "reason",
    /string/,
    "Why, for people and models. Programs decide by codes and kinds, not by its words.",
  ),
  member(
    "id",
    /string/,
    "What names it, in the functions that take an id and in members whose name ends in `Id`.",
  ),
  member("key", /string/, "What names a value."),
  member("model", /string/, "A model, as `provider/name`."),
  member("mode", /Mode/, "The approval mode."),
  member("groups", /Groups/, "The groups of tools, and their switches."),
  member("groups", /readonly string\[\]/, "Names of groups of tools."),
  member(
    "tools",
    /readonly string\[\]/,
    "Names of tools; `*` stands for any part of a name where the type says so.",
  ),
  member("added", /readonly string\[\]/, "Names of what is new."),
  member("changed", /readonly string\[\]/, "Names of what is different."),
  member("removed", /readonly string\[\]/, "Names of what is gone."),
  member(
    "effects",
    /Effects/,
    "What a second run would change, which decides about retries and about running beside other calls.",
  ),
  member("limits", /Limits/, "Limits that differ from those of the engine."),
  member("min", /number/, "The smallest value or length that is accepted."),
  member("max", /number/, "The largest value or length that is accepted."),
  member("attempts", /number/, "How often something is tried, the first time included; 0 if it never was."),
  member("timeoutMs", /number/, "A time limit, in milliseconds."),
  member(
    "idleTimeoutMs",
    /number/,
    "Ends a call that has emitted nothing for this long. Default: that of the tool or the engine; without one there is no limit.",
  ),
  member("size", /number/, "In bytes; of a part, the size of the whole."),
  member("line", /number/, "The number of a line, from 1."),
  member("cause", /unknown/, "The error that led to this one: for the host, never for a model."),
  member("usage", /Usage|CallUsage/, "What answers of models cost, in tokens."),
  member("callId", /string/, "The id of the call, as the model or the program gave it."),
  member("session", /string/, "The id of a session. Without one a call belongs to the engine's own session."),
  member("signal", /AbortSignal/, "Ends the work when it is aborted."),
  member(
    "facts",
    /readonly Fact\[\]/,
    "What the call would touch: paths, commands, hosts, and tools of MCP servers.",
  ),
  member("risk", /Risk/, "The risk of this call: that of its tool, or a lower one that `riskOf` returned."),
  member(
    "source",
    /string/,
    "The name of the source that a tool comes from; `app` for a tool that the program added itself.",
  ),
  member("server", /string/, "The name of an MCP server in the configuration."),
  member("subject", /string/, "The user on whose behalf a call runs."),
  member(
    "input",
    /unknown|JsonObject/,
    "The input of a call, by parameter; `unknown` where nothing has checked it yet.",
  ),
  member("tool", /string/, "The name of a tool, in calls as the engine knows it."),
  member("content", /readonly Content\[\]/, "What a model is shown, in order."),
  member("context", /readonly Provided\[\]/, "Values for tools, which read them with `context.get`."),
  member("identity", /AgentInfo/, "The id and the name of the agent, which the tools that it calls see."),
  member("cwd", /string/, "The folder in which the command runs, and from which its relative paths start."),
  member("access", /"read" \| "write"/, "Whether the target is only read, or may be changed."),
  member("…At", /number/, "A time, in milliseconds since 1970."),
  member("code", /ErrorCode/, "What programs decide by; docs/errors.md has the meaning of each code."),
  member("hint", /string/, "What to do about it."),
  member("details", /JsonObject/, "JSON for programs. For errors, `FaultDetails` has its members."),
  member(
    "hash",
    /string/,
    "A hash: equal for equal content, such as the same tool with the same final input.",
  ),
  member("group", /string/, "The name of a group of tools, which are switched on and off together."),
  member("scope", /GrantScope/, "How long an approval holds: for the session, or for always."),
  member("truncated", /Truncated/, "How the answer was truncated; absent or undefined if it is whole."),
  member("stdout", /string/, "What a process wrote to standard output; it may be cut."),
  member("stderr", /string/, "What a process wrote to standard error; it may be cut."),
  member(
    "parentId",
    /string/,
    "The id of the call or agent that started it; absent or undefined if none did.",
  ),
  member("verdict", /Verdict/, "What policy decided; undefined if an error came first."),
  member("pid", /number/, "The id of a process on the machine of the engine."),
  member("from", /number/, "When it began, in the unit that the type names."),
  member("to", /number/, "When it ended, in the unit that the type names."),
  member("from", /AgentInfo|Sender/, "Who sent it; absent: the user."),
  member("journal", /Journal/, "Stores every call and its answer; without one none is stored."),
  member("artifacts", /Artifacts/, "Stores the whole of truncated answers."),
  member("skills", /Skills/, "The skills that can be listed and loaded."),
  member("context", /ToolContext/, "What the engine offers the running tool."),
  member("tool", /Tool/, "The tool that runs."),
  member(
    "call",
    /ToolCall/,
    "The call as it was received. What the tool gets is its input after checks, defaults and presets.",
  ),
  member("shape", /Shape/, "How an answer is truncated; default: `text`."),
  member("place", /"sandbox"/, "Set if the work was done in a sandbox of its own."),
  member("uri", /string/, "The address of a resource, as its server names it."),
  member("problems", /readonly SourceProblem\[\]/, "What could not be used, and why."),
  member("state", /AgentState/, "What the agent does now."),
  member("temperature", /number/, "Sent with requests to the model. Default: the provider's."),
  member("maxOutputTokens", /number/, "The most tokens of an answer. Default: the provider's."),
  member("messages", /readonly Message\[\]/, "The conversation, oldest first."),
  member("attempt", /number/, "The number of the attempt, from 1."),
  member("waitMs", /number/, "How long the next attempt waits, in milliseconds."),
  member("mimeType", /string/, "The media type, such as `image/png`."),
  member(
    "inputTokens",
    /number/,
    "The tokens of requests, as the provider counted them, with those it read from its cache.",
  ),
  member("outputTokens", /number/, "The tokens of answers, as the provider counted them."),
  member("close", /Promise<void>/, "Ends it and releases what it holds; settles when that is done."),
];

function member(name: string, type: RegExp, sentence: string): SharedMember {
  return { name, type, sentence };
}

/** Returns true for a member, from its name on, that is described once for all types. */
export function isSharedMember(text: string): boolean {
  const [, name = "", type = ""] = /^(\w+)\??(?:\(\))?: (.*?)(?: \| (?:undefined|null))*;?$/.exec(text) ?? [];
  return SHARED_MEMBERS.some(
    (one) => name.replace(/^\w+At$/, "…At") === one.name && one.type.exec(type)?.[0] === type,
  );
}

/** Returns the types that the pattern has between its bars, as code. */
function typesOf({ type }: SharedMember): string {
  const types = type.source.replaceAll("\\", "").split("|");
  return types.map((one) => `\`${one.trim()}\``).join(" or ");
}

/** The section of the API reference that describes them. */
export const SHARED_MEMBERS_SECTION = `## Members that mean the same everywhere

A type whose member means something else says so above it.

| member | type | meaning |
|---|---|---|
${SHARED_MEMBERS.map((one) => `| \`${one.name}\` | ${typesOf(one)} | ${one.sentence} |`).join("\n")}
`;
