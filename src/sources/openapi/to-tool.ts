import { Reply, type Content } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Validator } from "../../json-schema/shared/types.ts";
import { createValidator } from "../../schema/validate.ts";
import type { Fetched, Fetcher } from "../../system/fetch/fetcher.ts";
import { attempt } from "../../util/async/attempt.ts";
import { toolNameOf } from "../mcp/tools/names.ts";
import type { HashedDefinition } from "../mcp/types/source-types.ts";
import type { Credentials } from "./credentials.ts";
import { toRequest } from "./request.ts";
import { planOf, type RequestPlan } from "./to-definition.ts";
import { defined } from "../../util/json/defined.ts";

export interface ApiCaller {
  readonly api: string;
  readonly fetcher: Fetcher;
  readonly credentials: Credentials;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isTrustedHost: (host: string) => boolean;
  readonly timeoutMs?: number;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const READS: ReadonlySet<string> = new Set(["get", "head", "options"]);
const IDEMPOTENT: ReadonlySet<string> = new Set(["put", "delete"]);

/** Creates the tool of an operation. A request that only reads has the risk of `web_fetch`; any other is of high risk. */
export function toTool({ definition }: HashedDefinition, caller: ApiCaller): Tool {
  const plan = planOf(definition.annotations);
  const host = new URL(plan.server).hostname;
  const isRead = READS.has(plan.method);
  // Not the output of the tool, which every answer would have to match: many APIs differ from their documents.
  const answers = createValidator(definition.output ?? {}, { coerce: false, defaults: false });
  return {
    name: toolNameOf(caller.api, definition.name),
    description: definition.description,
    input: definition.input,
    risk: isRead ? "medium" : "high",
    riskOf: () => (isRead ? (caller.isTrustedHost(host) ? "low" : "medium") : "high"),
    effects: isRead ? "none" : IDEMPOTENT.has(plan.method) ? "idempotent" : "unsafe",
    place: "host",
    source: `api:${caller.api}`,
    group: caller.api,
    isUntrusted: true,
    limits: { timeoutMs: caller.timeoutMs ?? TIMEOUT_MS },
    facts: () => [{ kind: "host", host }],
    attributes: () => ({ method: plan.method, path: plan.path }),
    async run(input, context) {
      const fetched = await send(plan, input, caller, context);
      await answers.prepare();
      return toReply(fetched, plan, answers);
    },
  };
}

async function send(
  plan: RequestPlan,
  input: JsonObject,
  { api, fetcher, credentials, headers }: ApiCaller,
  { signal }: ToolContext,
): Promise<Fetched> {
  const { url, body, headers: own } = toRequest(plan, input);
  const { cookie = "", ...login } = plan.needsLogin ? await credentials.apply(url, signal) : {};
  const cookies = [own["cookie"] ?? "", cookie].filter((text) => text !== "").join("; ");
  const fetched = await fetcher.fetch(url, {
    method: plan.method.toUpperCase(),
    headers: { ...own, ...headers, ...login, ...(cookies !== "" && { cookie: cookies }) },
    ...defined({ body }),
    signal,
    maxBytes: MAX_BYTES,
  });
  const what = `${plan.method.toUpperCase()} ${plan.path}`;
  if (fetched.elsewhere !== undefined)
    throw new ToolError("TOOL_FAILED", `${what} redirects to another host: ${fetched.elsewhere.host}`);
  if (fetched.status >= 400) throw failure(what, fetched, api);
  return fetched;
}

const MAX_ERROR = 2000;

function failure(what: string, { status, body }: Fetched, api: string): ToolError {
  const text = body.toString().slice(0, MAX_ERROR).toWellFormed().trim();
  const isTemporary = status === 429 || status >= 500;
  const code = status === 401 ? "UNAUTHORIZED" : isTemporary ? "UNAVAILABLE" : "TOOL_FAILED";
  const login = `check auth of the api "${api}" in the config`;
  const hint = [...(text === "" ? [] : [`its answer: ${text}`]), ...(status === 401 ? [login] : [])].join(
    "\n",
  );
  return new ToolError(code, `${what} answered ${status}`, {
    ...(hint !== "" && { hint }),
    details: { status, body: attempt(() => JSON.parse(text) as Json) ?? text },
  });
}

function toReply({ status, headers, body }: Fetched, plan: RequestPlan, answers: Validator): Reply {
  const type = (headers["content-type"] ?? "").toLowerCase();
  if (body.length === 0) return new Reply(`[${status}, no content]`, { data: { status } });
  if (/^image\/(?:png|jpeg|gif|webp)/.test(type)) return new Reply([binary("image", body, type)]);
  const json =
    /json/.test(type) || type === "" ? attempt(() => JSON.parse(body.toString()) as Json) : undefined;
  if (json === undefined && !/^text\/|json|xml|yaml|javascript|form-urlencoded|^$/.test(type))
    return new Reply([binary("file", body, type)], { data: { status, bytes: body.length } });
  const text = json === undefined ? body.toString() : JSON.stringify(json, undefined, 1);
  const notes = [mismatchNote(json, answers), pageNote(headers["link"], json, plan)];
  return new Reply(
    [text, ...notes].filter((part) => part !== "").join("\n"),
    json === undefined ? {} : { data: json },
  );
}

function binary(type: "image" | "file", body: Buffer, contentType: string): Content {
  const [mimeType = ""] = contentType.split(";");
  return { type, data: body.toString("base64"), mimeType };
}

const SHOWN_PROBLEMS = 3;

/** Returns a note on how an answer differs from the schema in the document; empty if it does not, or if the schema cannot be used. */
function mismatchNote(json: Json | undefined, answers: Validator): string {
  const checked = json === undefined ? undefined : answers.check(json);
  if (checked === undefined || checked.ok || checked.problems.length === 0) return "";
  const problems = checked.problems.slice(0, SHOWN_PROBLEMS).map(({ kind, path, expected, got }) => {
    const where = path === "" ? "the answer" : path;
    return kind === "missing" ? `${where} is missing` : `${where}: expected ${expected}, got ${got}`;
  });
  const more = checked.problems.length > SHOWN_PROBLEMS ? "; …" : "";
  return `[the answer does not match the schema in the API's document: ${problems.join("; ")}${more}]`;
}

const NEXT_FIELDS =
  "next_cursor nextCursor next_page_token nextPageToken next_page nextPage next cursor".split(" ");

/** Returns a note on how to read the next page; empty if the answer names none. */
function pageNote(link: string | undefined, json: Json | undefined, { slots }: RequestPlan): string {
  const next = /<([^>]+)>\s*;[^,]*\brel="?next\b/.exec(link ?? "")?.[1];
  const query = next === undefined ? undefined : URL.parse(next, "http://localhost")?.searchParams;
  const pageSlots = slots.filter((slot) => slot.in === "query" && query?.has(slot.name) === true);
  if (pageSlots.length > 0)
    return `[there is a next page: ${pageSlots.map(({ key, name }) => `${key}=${query?.get(name)}`).join(", ")}]`;
  const field = isObject(json) ? NEXT_FIELDS.find((name) => isPage(json[name])) : undefined;
  if (field !== undefined && isObject(json))
    return `[there is a next page: ${field} is ${JSON.stringify(json[field])}]`;
  return isObject(json) && json["has_more"] === true ? "[there is a next page: has_more is true]" : "";
}

function isPage(value: Json | undefined): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}
