// The table of what the five seeds ask for: each row names the test that proves it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Proof = readonly [file: string, title: string];

const SEEDS = "test/flows/seeds";

// oxfmt-ignore
const ROWS: Readonly<Record<string, readonly [wanted: string, ...proofs: readonly Proof[]]>> = {
  "1": ["one registry for tools of every source", ["src/engine/registry/registry.test.ts", "that is taken throws and changes nothing"], [`${SEEDS}/000-ollm.test.ts`, "getAllTools: the tools of a request"]],
  "2": ["validation against a schema", [`${SEEDS}/000-ollm.test.ts`, "validation: existence, required fields"], ["src/engine/call/well-formed.test.ts", "instead of input is answered with what to rename"]],
  "3": ["approval modes and risks", ["src/engine/pipeline/approve.test.ts", "-risk call ${outcome}"], [`${SEEDS}/000-ollm.test.ts`, "approval modes: each mode runs"]],
  "4": ["approval by a person", ["test/flows/repl-calls.wide.test.ts", "no with a reason is passed to the model"], ["test/flows/cli-approve.test.ts", "a call without a terminal waits for an answer"]],
  "5": ["execution with a deadline", ["src/engine/pipeline/execute.test.ts", "a deadline answers the caller even if the tool ignores cancellation"]],
  "6": ["results are cut by their shape", ["src/engine/answer/outputs.test.ts", "an array of shape list is cut by its items"]],
  "7": ["output is sanitized", ["src/engine/answer/clean-text.test.ts", "a secret that colours split is masked"], ["src/engine/answer/fence.wide.test.ts", "only untrusted text is fenced"]],
  "8": ["tools for files", ["test/contracts/tools.test.ts", "accepts a valid call under each of its names"], ["src/tools/files/edit/edit-file.test.ts", "byte order mark, CRLF and a missing final newline are preserved"]],
  "9": ["a shell, with its output while it runs", ["test/flows/repl-calls.wide.test.ts", "a running command shows the end of its output"]],
  "10": ["tools for the web", ["test/flows/web.test.ts", "the built program fetches a page that the config allows"], ["src/tools/web/web-fetch.test.ts", "what the settings refuse is refused before anyone is asked"]],
  "11": ["persistent memory", ["src/tools/memory/notes/memory.test.ts", "a stored value is read by every session of the workspace"]],
  "12": ["goals, checkpoints and decisions", ["src/tools/memory/goals/create-checkpoint.test.ts", "the files are saved, with the goal"], ["src/tools/memory/goals/record-decision.test.ts", "one that is locked cannot be contradicted"]],
  "13": ["tools of MCP servers", ["test/flows/mcp-calls.test.ts", "if both can answer the first answer counts"], ["test/flows/cli-mcp.test.ts", "a server is added to a private file"]],
  "14": ["all registered tools go to the provider", ["test/flows/agent-wire.test.ts", "is sent every tool that is active now"]],
  "15": ["hooks that ask the agent", ["test/flows/agent-hooks.test.ts", "a changed file becomes a turn of the agent"]],
  "16": ["tools that are added at run time", ["test/flows/agent-tools.test.ts", "a tool that is added, replaced or removed during a call"], ["test/flows/agent-tools.test.ts", "a hot swap adds the tools of its skill"]],
  "17": ["calls in parallel, and streamed output", ["src/engine/pipeline/run-all.test.ts", "parallel: false runs one after the other"]],
  "18": ["programs are discovered by --schema", ["test/flows/cli-external.test.ts", "tools --problems and doctor list what could not be loaded"]],
  "19": ["programs take JSON and are wrapped in an envelope", [`${SEEDS}/001-ikigai.test.ts`, "tool result format: success and failure are wrapped"]],
  "20": ["the terminal appears at once", ["test/flows/repl-talk.test.ts", "a message typed while the REPL loads is sent when it has loaded"]],
  "21": ["six stand-alone programs", ["test/flows/libexec.wide.test.ts", "file_write creates a file and its folders"], [`${SEEDS}/001-ikigai.test.ts`, "phase 4: in the profile external each"]],
  "22": ["/tool and /refresh", ["src/app/terminal/commands/commands.test.ts", "/tool UNKNOWN is an error that names the near ones"]],
  "23": ["programs manage their credentials", ["src/sources/external/run-program.test.ts", "a program without its credential is told which variables it has"]],
  "24": ["schemas are transformed for each provider", [`${SEEDS}/001-ikigai.test.ts`, "schema transformation: the flat form becomes OpenAI's"]],
  "25": ["annotated methods are tools", ["test/decorators.test.ts", "decorated methods are tools under their names"], [`${SEEDS}/002-agentscope.test.ts`, "get_weather: a parameter that is not required"]],
  "26": ["nested objects in schemas", [`${SEEDS}/002-agentscope.test.ts`, "SearchParams: an object parameter"]],
  "27": ["preset parameters", [`${SEEDS}/002-agentscope.test.ts`, "sendEmail: the model sees to and subject"]],
  "28": ["context of the call, the agent and the toolkit", [`${SEEDS}/002-agentscope.test.ts`, "getUserData: the context of the call goes"]],
  "29": ["progress, and the agent of a call", [`${SEEDS}/002-agentscope.test.ts`, "ToolEmitter and Agent: a tool emits progress"]],
  "30": ["synchronous, asynchronous and streaming tools", ["src/engine/pipeline/execute.test.ts", "items of an async iterable are progress"]],
  "31": ["time limit and retries", [`${SEEDS}/002-agentscope.test.ts`, "ExecutionConfig: a call that times out"]],
  "32": ["groups of tools", [`${SEEDS}/002-agentscope.test.ts`, "updateToolGroups: only tools of active groups"]],
  "33": ["return values and exceptions become results", [`${SEEDS}/002-agentscope.test.ts`, "return values: text, a result block"], [`${SEEDS}/002-agentscope.test.ts`, "riskyOperation: an exception"]],
  "34": ["calls are parsed from text", [`${SEEDS}/003-strix.test.ts`, "parse_tool_invocations: a call by the seed's name"]],
  "35": ["each tool runs in its place", ["src/engine/pipeline/route.test.ts", "a tool of any place runs by the executor of that name"]],
  "36": ["a tool server in the sandbox", [`${SEEDS}/003-strix.test.ts`, "POST /execute: each of the four handlers"], [`${SEEDS}/003-strix.test.ts`, "a client chooses the form by a header"]],
  "37": ["sandboxes", ["test/flows/cli-sandbox.test.ts", "--sandbox runs commands in a sandbox that hides denied files"]],
  "38": ["an intercepting proxy", ["src/tools/proxy/proxy.test.ts", "requests of curl, Python and web_fetch are captured"], ["test/long/shop-story.test.ts", "an agent browses a shop through the proxy"]],
  "39": ["a browser", ["test/flows/browser.wide.test.ts", "a form is filled in and sent over HTTPS"]],
  "40": ["Python with state", ["src/tools/python/python-action.test.ts", "variables, imports and functions last"]],
  "41": ["agents, reports and scores", ["test/flows/team-work.test.ts", "two children work in parallel"], ["src/tools/reports/finish-scan.test.ts", "the whole report has every finding"]],
  "42": ["notes and thinking", ["src/tools/memory/notes/list-notes.test.ts", "notes are found by category"]],
  "43": ["every call is traced", ["src/adapters/opentelemetry/telemetry.test.ts", "a call is one span with the attributes"], ["test/flows/cli-trace.test.ts", "an id that repeats lists its calls"]],
  "44": ["structured results", ["test/contracts/tool-data.test.ts", "the data of every tool fits the schema that types it"]],
  "45": ["tools reach the state of the host", [`${SEEDS}/004-kodelet.test.ts`, "State: a tool of a user has the tools"]],
  "46": ["several edits, and several calls, in one", ["src/tools/files/edit/edit-file.test.ts", "file_multi_edit makes all of its edits in order, or none"], ["src/tools/running/batch.test.ts", "the calls may have the names of other systems"]],
  "47": ["one list of todos", ["src/tools/memory/todos/todo-tools.wide.test.ts", "the list that is written is the list that is read"]],
  "48": ["images", ["src/tools/web/image-recognition.test.ts", "the vision model answers about a file or a URL"]],
  "49": ["round trips with providers", ["test/flows/model-story.test.ts", "two parallel calls, one denied, one failing, one truncated"]],
  "50": ["cancellation ends processes", ["test/flows/session-signals.test.ts", "ends the session in order"]],
  "51": ["conversations are stored", ["test/flows/agent-kill.wide.test.ts", "whenever a process is killed, the next continues"]],
  "52": ["the security model as a whole", ["test/boundary/judged-classes.test.ts", "does not run without approval"]],
  B1: ["one answer after a crash", ["test/flows/journal-crash.wide.test.ts", "the answer to an interrupted call says whether it may have had effects"]],
  B2: ["explanations", ["test/flows/cli-commands.test.ts", "explain shows what policy would decide and runs nothing"]],
  B3: ["changed tools of servers wait", ["src/sources/mcp/tools/pins.test.ts", "stay out with the difference"]],
  B4: ["every dialect of text calls", ["src/models/text-calls/samples.wide.test.ts", "there are samples, and every format has a dialect"]],
  B5: ["cut answers are read on", ["src/tools/about/read-artifact.test.ts", "a part is read, and the answer says how to continue"]],
  B6: ["thousands of tools", ["src/app/gateway/sessions/gateway.test.ts", "of thousands of tools a client sees a few"]],
  B7: ["calls by code", ["test/flows/mcp-gateway-upstream.test.ts", "run_code makes fifty calls"]],
  B8: ["a fleet of workers", ["test/flows/fleet-kill.wide.test.ts", "after kill -9 of a worker"]],
  B9: ["a web console", ["test/flows/serve.test.ts", "a call of the command line that waits is shown"]],
  B10: ["replay", ["test/flows/sessions-cli.test.ts", "a replay shows the calls and the answer again"]],
  B11: ["editors", ["test/flows/acp.test.ts", "an editor drives a session"]],
  B12: ["HTTP APIs, and servers of other clients", ["test/flows/cli-api.test.ts", "an API is added, called with its login"], ["test/flows/mcp-import.test.ts", "--replace leaves only the gateway"]],
};

for (const [row, [wanted, ...proofs]] of Object.entries(ROWS))
  test(`row ${row}, ${wanted}: the tests that prove it exist`, () => {
    assert.ok(proofs.length > 0);
    for (const [file, title] of proofs) {
      const titles = readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => /^\s*(?:test\(|it\(|["'`])/.test(line));
      assert.ok(
        titles.some((line) => line.includes(title)),
        `${file} has no test "${title}"`,
      );
    }
  });

test("every row of the seeds is in the table", () => {
  const rows = [
    ...Array.from({ length: 52 }, (_, index) => `${index + 1}`),
    ...Array.from({ length: 12 }, (_, index) => `B${index + 1}`),
  ];
  assert.deepEqual(Object.keys(ROWS), rows);
});
