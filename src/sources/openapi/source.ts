import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { readFile } from "node:fs/promises";
import { ToolError } from "../../core/errors.ts";
import type { Loaded, SourceProblem, ToolSource } from "../../core/source.ts";
import type { Collection } from "../../core/store/collection.ts";
import type { Tool } from "../../core/tool.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "../../system/fetch/fetcher.ts";
import { toFault } from "../../util/json/fault.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { secretsIn } from "../../secrets/find/values.ts";
import { readDefinitions, type ReadDefinitions } from "../mcp/tools/definition.ts";
import { toolNameOf } from "../mcp/tools/names.ts";
import { reviewChanges } from "../mcp/tools/pin-approvals.ts";
import { createPins, pinChanges, type Pins } from "../mcp/tools/pins.ts";
import { changedSince } from "../mcp/tools/problems.ts";
import type { PinChange } from "../mcp/types/source-types.ts";
import { createSecretFeed } from "../secret-feed.ts";
import { createCredentials, loginSecrets, type ApiLogin } from "./credentials.ts";
import { parseDocument } from "./document.ts";
import { listOperations } from "./operations.ts";
import { createSelection, type OperationSelection } from "./select.ts";
import { toListed } from "./to-definition.ts";
import { toTool, type ApiCaller } from "./to-tool.ts";
import { defined } from "../../util/json/defined.ts";

/** The API, and how it is called. */
export interface ApiSourceOptions extends OperationSelection {
  readonly name: string;
  /** The path or the http address of an OpenAPI document. */
  readonly spec: string;
  /** The address of the API; default: the first server of the document. */
  readonly url?: string;
  /** Default: requests are sent without credentials. */
  readonly login?: ApiLogin;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The deadline of a call. Default: 60 s. */
  readonly timeoutMs?: number;
  /** The environment, with the variable that `login` names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What can be reached; default: every public address on the usual ports. */
  readonly web?: FetcherOptions;
  /** Returns true for a host whose GET requests are of low risk. Default: none. */
  readonly isTrustedHost?: (host: string) => boolean;
  /** Where approved definitions are stored; default: in memory. */
  readonly pins?: Collection;
  /** Takes the operations that were used before from the pins, and does not read the document. */
  readonly startsLate?: boolean;
  /** Called with each token that is fetched, before it is used. An engine that the source is added to learns all secrets by itself. */
  readonly onSecret?: (secret: string) => void;
}

/** A source of an OpenAPI document. */
export interface ApiSource extends ToolSource {
  /** Returns the operations that differ from their approved definitions. */
  review(signal: AbortSignal): Promise<readonly PinChange[]>;
  /** Approves exactly these definitions. */
  approve(changes: readonly PinChange[]): Promise<void>;
}

const MAX_BYTES = 64 * 1024 * 1024;

const KINDS: OptionKinds<ApiSourceOptions> = {
  include: "a list of texts",
  exclude: "a list of texts",
  name: "a text that is not empty",
  spec: "a text that is not empty",
  url: "a text that is not empty",
  login: "an object",
  headers: "an object",
  timeoutMs: "a positive number",
  variables: "an object",
  web: "an object",
  isTrustedHost: "a function",
  pins: "an object",
  startsLate: "true or false",
  onSecret: "a function",
};

/** Creates a source whose tools are the operations of an OpenAPI document. Those that change or are added after the first load stay out until `approve`. */
export function createApiSource(options: ApiSourceOptions): ApiSource {
  checkOptions("createApiSource", options, KINDS);
  const { name, spec, variables, headers = {}, timeoutMs, isTrustedHost = () => false } = options;
  const fetcher = createFetcher(options.web);
  const collection = options.pins ?? createMemoryCollections().open("api-pins");
  // A document is identified as a server is: by its address.
  const url = isUrl(spec) ? spec : `file://${encodeURI(spec)}`;
  const server = { kind: "http", url, headers: {}, transport: "auto" } as const;
  const pins = createPins({ collection, name, server });
  const secrets = createSecretFeed(
    [...loginSecrets(options.login, variables), ...secretsIn(headers)],
    options.onSecret,
  );
  const credentials = createCredentials({
    api: name,
    login: options.login,
    variables,
    fetcher,
    onSecret: secrets.add,
  });
  const caller: ApiCaller = {
    api: name,
    fetcher,
    credentials,
    headers,
    isTrustedHost,
    ...defined({ timeoutMs }),
  };
  let known = new Map<string, Tool>();
  const put = (definitions: ReadDefinitions["definitions"]): readonly Tool[] => {
    known = new Map(definitions.map((one) => [one.hash, known.get(one.hash) ?? toTool(one, caller)]));
    return [...known.values()];
  };
  return {
    name: `api:${name}`,
    mayProvide: (tool) => tool.startsWith(toolNameOf(name, "")),
    teachSecrets: secrets.teach,
    async load(signal) {
      const pinned = options.startsLate === true ? await pins.readListed() : undefined;
      if (pinned !== undefined) return { tools: put([...pinned.values()]), problems: [] };
      return loadPinned(await readDefined(options, caller, signal), pins, put, name);
    },
    review: (signal) =>
      reviewChanges(pins, async () => (await readDefined(options, caller, signal)).definitions),
    approve: (changes) => pins.approve(changes.map((change) => change.seen)),
    close: () => fetcher.close(),
  };
}

async function loadPinned(
  { definitions, problems }: ReadDefinitions,
  pins: Pins,
  put: (definitions: ReadDefinitions["definitions"]) => readonly Tool[],
  name: string,
): Promise<Loaded> {
  const changes = pinChanges(await pins.readOrPin(definitions), definitions);
  const refused = new Set(changes.map(({ tool }) => tool));
  const hint = `run toolwright api approve ${name}`;
  return {
    tools: put(definitions.filter(({ definition }) => !refused.has(definition.name))),
    problems: [
      ...problems,
      ...changes.map((change) => ({ ...changedSince(name, change), source: `api:${name}`, hint })),
    ],
  };
}

/** Reads the document and returns its operations. Rejects if the document cannot be read. */
async function readDefined(
  options: ApiSourceOptions,
  { fetcher, credentials }: ApiCaller,
  signal: AbortSignal,
): Promise<ReadDefinitions> {
  const { name, spec, url } = options;
  const text = await readSpec(spec, fetcher, signal);
  const document = await parseDocument(text, spec, isUrl(spec) ? spec : undefined);
  credentials.learn(document.root);
  const isSelected = createSelection(options);
  const problems: SourceProblem[] = [];
  const listed = listOperations(document)
    .filter(isSelected)
    .flatMap((operation) => {
      const server = url ?? operation.server;
      const refuse = (message: string, hint?: string): readonly never[] => {
        const subject = toolNameOf(name, operation.id);
        problems.push({
          source: `api:${name}`,
          subject,
          reason: "bad_schema",
          message,
          ...defined({ hint }),
        });
        return [];
      };
      if (server === undefined || !/^https?:/.test(server))
        return refuse(
          "the document names no address of a server",
          `set url of the api "${name}" in the config`,
        );
      try {
        return [toListed(document, operation, server)];
      } catch (error) {
        return refuse(toFault(error).message);
      }
    });
  const read = readDefinitions(name, listed);
  return {
    definitions: read.definitions,
    problems: [...problems, ...read.problems.map((one) => ({ ...one, source: `api:${name}` }))],
  };
}

async function readSpec(spec: string, fetcher: Fetcher, signal: AbortSignal): Promise<string> {
  if (!isUrl(spec)) return readFile(spec, { encoding: "utf8", signal });
  const accept = "application/json, application/yaml;q=0.9, */*;q=0.5";
  const { status, body, elsewhere } = await fetcher.fetch(new URL(spec), {
    headers: { accept },
    signal,
    maxBytes: MAX_BYTES,
  });
  if (status < 300) return body.toString();
  const what = elsewhere === undefined ? `answered ${status}` : `redirects to ${elsewhere.href}`;
  throw new ToolError("UNAVAILABLE", `${spec} ${what}`, { hint: "name the address of the document itself" });
}

function isUrl(spec: string): boolean {
  return /^https?:\/\//.test(spec);
}
