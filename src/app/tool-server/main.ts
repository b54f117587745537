import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import { ToolError } from "../../core/errors.ts";
import type { Policy } from "../../core/policy.ts";
import { createBareEngine } from "../../engine/bare-engine.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { ANSWER_FORMS } from "../../remote/tool-result.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { createJobs } from "../../remote/jobs.ts";
import { serveLines } from "../../remote/serve-lines.ts";
import { createExternalSource } from "../../sources/external/source.ts";
import { withoutShield } from "../../system/box/shield.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { fileTools } from "../../tools/files/family.ts";
import { pythonAction } from "../../tools/python/python-action.ts";
import { runningTools } from "../../tools/running/family.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const HELP = `toolwright-tool-server: runs tools for another program, over HTTP or over its standard input and output

Usage: toolwright-tool-server [--socket PATH | --port N | --stdio] [options]

  --socket PATH       listen on a unix socket that only this user can open
  --port N            listen on TCP, 0 for any free port (the default)
  --stdio             serve the program that started this one: read calls from standard input, write answers to standard output
  --host ADDRESS      the address for --port; default: 127.0.0.1
  --workspace FOLDER  a folder that tools work in, the first is their current one; default: the current folder
  --tools FOLDER      a folder whose programs are tools too (see docs/external-tools.md)
  --trash FOLDER      where delete_file moves files; default: it fails
  --environment NAME  a variable that commands get besides PATH, HOME and the like; may end in *
  --answers FORM      result (the default), or tool-result: {"tool_name", "success", "output", "error", "metadata"}
  --private-host HOST a host, address or subnet of a private network that the browser may reach, such as localhost:3000
  --browser-sandbox auto|none  none: in a container, the browser runs without a sandbox of its own (default: auto)

The token is the value of TOOLWRIGHT_TOOL_SERVER_TOKEN, or a new one, which is printed.
There is no policy: everyone who has the token can run everything. Start it in a sandbox or a container.
See docs/sandbox.md.
`;

const OPTIONS = {
  socket: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  workspace: { type: "string", multiple: true },
  tools: { type: "string", multiple: true },
  trash: { type: "string" },
  environment: { type: "string", multiple: true },
  answers: { type: "string" },
  "private-host": { type: "string", multiple: true },
  "browser-sandbox": { type: "string" },
  stdio: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Options = ReturnType<typeof parseArgs<{ readonly options: typeof OPTIONS }>>["values"];

/** The parts of its process that the program uses. */
export type ServerProcess = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env" | "on">;

/** Runs the tool server until it gets TERM or INT, or its input ends. Returns its exit code. */
export async function main(args: readonly string[], own: ServerProcess): Promise<number> {
  try {
    const options = parseArgs({ args: [...args], options: OPTIONS }).values;
    if (options.help === true) {
      own.stdout.write(HELP);
      return 0;
    }
    await serve(options, own);
    return 0;
  } catch (error) {
    const hint = error instanceof ToolError && error.hint !== undefined ? `\nhint: ${error.hint}` : "";
    own.stderr.write(`toolwright-tool-server: ${errorMessage(error)}${hint}\n`);
    return 2;
  }
}

async function serve(options: Options, own: ServerProcess): Promise<void> {
  const stop = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) own.on(signal, () => stop.resolve());
  const engine = openEngine(options, own.env);
  if (options.stdio === true) {
    if ((options.socket ?? options.port) !== undefined)
      throw new ToolError("INVALID_INPUT", "--stdio cannot be combined with --socket or --port");
    const jobs = createJobs(engine);
    await Promise.race([serveLines(jobs, own.stdin, own.stdout), stop.promise]);
    return jobs.drain(0);
  }
  // An engine that starts this program has a browser of its own.
  const { addBrowser } = await import("./add-browser.ts");
  addBrowser(engine, {
    ...runningOptions(options, own.env),
    privateHosts: options["private-host"] ?? [],
    sandbox: choiceOf(options, "browser-sandbox", ["auto", "none"]),
  });
  const { serveHttp } = await import("./serve-http.ts");
  const answers = choiceOf(options, "answers", ANSWER_FORMS);
  return serveHttp(engine, { ...options, answers }, { output: own.stdout, env: own.env, stop: stop.promise });
}

/** Everything is allowed: what may run was decided by the engine that sends the call, and the sandbox limits the rest. */
const ALLOW: Policy = {
  judge: () => ({ kind: "allow", reason: "a tool server has no policy", rule: "tool-server" }),
};
/** Nothing is cut here: the engine that sends the call cuts its answer. */
const UNCUT = { over: Number.MAX_SAFE_INTEGER, keep: Number.MAX_SAFE_INTEGER };

/** Returns the value of an option, by default the first one. Throws for an unknown value. */
function choiceOf<T extends string>(
  options: Options,
  name: "answers" | "browser-sandbox",
  choices: readonly [T, ...T[]],
): T {
  const { [name]: option = choices[0] } = options;
  const chosen = choices.find((choice) => choice === option);
  if (chosen !== undefined) return chosen;
  throw unknownName(
    `unknown --${name} ${JSON.stringify(option)}`,
    option,
    choices,
    `use ${choices.join(" or ")}`,
  );
}

function runningOptions(
  { workspace = ["."], environment: allowed = [] }: Options,
  variables: NodeJS.ProcessEnv,
) {
  const [root = ".", ...roots] = workspace.map(folderOf);
  const environment = childEnvironment(variables, allowed);
  return { root, roots, environment, ...defined({ home: environment["HOME"], launcher: withoutShield() }) };
}

function openEngine(options: Options, variables: NodeJS.ProcessEnv): Engine {
  const { tools = [], trash: trashFolder } = options;
  const running = runningOptions(options, variables);
  const { root, roots, environment, home } = running;
  const engine = createBareEngine({
    policy: ALLOW,
    tools: [
      ...runningTools(running),
      pythonAction(running),
      ...fileTools({ root, roots, ...defined({ home, trashFolder }) }),
    ],
    cuts: { text: UNCUT, file: UNCUT, list: UNCUT, matches: UNCUT, log: UNCUT },
  });
  for (const folder of tools.map(folderOf)) {
    engine.sources.add(
      createExternalSource({
        name: `external:${folder}`,
        directories: [{ path: folder }],
        cwd: root,
        environment,
      }),
    );
  }
  return engine;
}

function folderOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `there is no folder ${path}`, { cause });
  }
}
