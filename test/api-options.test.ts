import assert from "node:assert/strict";
import { test } from "node:test";
import { toAiSdkTools } from "../src/doors/ai-sdk.ts";
import { createMemoryCollections, createTeam } from "../src/doors/agent.ts";
import { createMcpSource, logIn } from "../src/doors/mcp.ts";
import { createTextReader, openModel, withTextCalls } from "../src/doors/models.ts";
import { createTelemetry } from "../src/doors/opentelemetry.ts";
import { createApiSource, createExtensions, createExternalSource } from "../src/doors/sources.ts";
import { createApprovalQueue } from "../src/doors/store.ts";
import { createScriptedModel, testJournal } from "../src/doors/testing.ts";
import {
  aboutTools,
  browserTools,
  builtInTools,
  fileTools,
  memoryTools,
  proxyTools,
  sessionTools,
  webTools,
} from "../src/doors/tools.ts";
import { createEngine, type Failure } from "../src/index.ts";
import type { OptionKinds } from "../src/util/json/check-options.ts";
import type { BuiltInOptions } from "../src/tools/built-in.ts";
import type { BrowserOptions } from "../src/tools/browser/page/options.ts";
import { TOOL_OPTIONS } from "../src/tools/shared/check-tool-options.ts";

/** Calls of the API with options as a program without types may pass them. */
const CALLS: Readonly<Record<string, (options: never) => unknown>> = {
  createEngine,
  createApiSource,
  createExternalSource,
  createExtensions,
  createMcpSource,
  createTelemetry,
  createTeam,
  createApprovalQueue: (options) => createApprovalQueue(createMemoryCollections(), options),
  toAiSdkTools: (options) => toAiSdkTools(createEngine(), options),
  builtInTools,
  fileTools,
  webTools,
  memoryTools,
  browserTools,
  proxyTools,
  aboutTools,
  sessionTools,
  createTextReader,
  withTextCalls: (options) => withTextCalls(createScriptedModel([{ text: "a" }]), "hermes", options),
  createScriptedModel: (options) => createScriptedModel([], options),
  logIn: (options) => logIn(options, new AbortController().signal),
  testJournal: (options) => testJournal(() => Promise.reject(new Error("not opened")), options),
  openModel: (options) => openModel("anthropic/x", options),
  "engine.add": (options) => createEngine().add([], options),
  "engine.list": (options) => createEngine().list(options),
  "engine.specs": (options) => createEngine().specs("openai", options),
  "engine.session": (options) => createEngine().session("a", options),
  "engine.sources.add": (options) => createEngine().sources.add(SOURCE, options),
};
const SOURCE = { name: "a", load: () => Promise.resolve({ tools: [], problems: [] }) };

const WRONG: readonly (readonly [call: string, options: object, message: RegExp, hint?: RegExp])[] = [
  ["createEngine", { timeout: 5 }, /unknown option "timeout"/, /timeoutMs/],
  ["createApiSource", { name: "a", spec: "b", variables: {}, timoutMs: 5 }, /"timoutMs"/, /timeoutMs/],
  ["createApiSource", { name: "a", spec: 5, variables: {} }, /spec: expected a text/],
  [
    "createApiSource",
    { name: "a", spec: "b", variables: {}, timeoutMs: "5" },
    /timeoutMs: expected a positive/,
  ],
  ["createExternalSource", { directory: [] }, /unknown option "directory"/, /directories/],
  ["createExternalSource", { directories: "tools" }, /directories: expected a list/],
  ["createExtensions", { directories: [], limit: 5 }, /unknown option "limit"/, /limitMs/],
  ["createMcpSource", { name: "a", server: {}, acceptChanges: true }, /"acceptChanges"/, /acceptsChanges/],
  ["createMcpSource", { name: "a", server: {}, startup: "late" }, /startup: expected one of eager, lazy/],
  ["createTelemetry", { recordContent: true }, /"recordContent"/, /recordsContent/],
  ["createTelemetry", { recordsContent: "no" }, /recordsContent: expected true or false/],
  ["createTeam", { open: () => undefined, limit: {} }, /unknown option "limit"/, /limits/],
  ["createTeam", { open: {} }, /open: expected a function/],
  ["createApprovalQueue", { poll: 5 }, /unknown option "poll"/, /pollMs/],
  ["createApprovalQueue", { pollMs: -1 }, /pollMs: expected a positive number, got -1/],
  ["toAiSdkTools", { approval: "engine" }, /unknown option "approval"/, /approvals/],
  ["toAiSdkTools", { approvals: "engin" }, /approvals: expected one of sdk, engine/, /engine/],
  ["builtInTools", { root: "/srv", enviroment: {} }, /unknown option "enviroment"/, /environment/],
  ["fileTools", { root: "/srv", trash: "/tmp" }, /unknown option "trash"/, /trashFolder/],
  ["fileTools", { root: "/srv", roots: "/a" }, /roots: expected a list of texts/],
  ["webTools", { root: "/srv", web: "all" }, /web: expected an object/],
  ["memoryTools", { root: "/srv", collection: {} }, /unknown option "collection"/, /collections/],
  ["browserTools", { root: "/srv", environment: {}, brower: {} }, /unknown option "brower"/, /browser/],
  ["proxyTools", { environment: {}, mask: "no" }, /mask: expected a function/],
  ["aboutTools", { skill: {} }, /unknown option "skill"/, /skills/],
  ["sessionTools", { skills: {} }, /the option "dumpsFolder" is missing/],
  ["createTextReader", { dialect: "hermes", tool: [] }, /unknown option "tool"/, /tools/],
  ["createTextReader", { dialect: "hermes", unlisted: "drop" }, /unlisted: expected one of call, problem/],
  ["withTextCalls", { repairs: false }, /unknown option "repairs"/, /repair/],
  ["createScriptedModel", { window: -1 }, /window: expected a positive number/],
  ["logIn", { name: "a", server: {}, stored: {}, shows: () => undefined }, /unknown option "shows"/, /show/],
  ["logIn", { name: "a", server: {}, stored: {} }, /the option "show" is missing/],
  ["testJournal", { run: 5 }, /unknown option "run"/, /runs/],
  ["engine.add", { replce: true }, /unknown option "replce"/, /replace/],
  ["engine.list", { al: true }, /unknown option "al"/, /all/],
  ["engine.list", { session: 5 }, /session: expected a text/],
  ["engine.specs", { strct: true }, /unknown option "strct"/, /strict/],
  ["engine.session", { parnt: "b" }, /unknown option "parnt"/, /parent/],
  ["engine.session", { id: "b" }, /unknown option "id"/, /^use parent, rules$/],
  ["engine.sources.add", { source: SOURCE }, /unknown option "source"/, /^use presets, isLazy, isWatched$/],
  ["engine.sources.add", { isWatchd: true }, /unknown option "isWatchd"/, /isWatched/],
  ["engine.sources.add", { presets: [] }, /presets: expected an object/],
  ["openModel", { environment: {}, baseURL: "http://x" }, /unknown option "baseURL"/, /baseUrl/],
  ["openModel", { environment: {}, timeoutMs: "5" }, /timeoutMs: expected a positive number/],
];

for (const [call, options, message, hint = /(?:)/] of WRONG)
  test(`${call} refuses ${Object.keys(options).at(-1) ?? ""}, and says what it takes`, async () => {
    const run = async (): Promise<unknown> => CALLS[call]?.(options as never);
    await assert.rejects(run, (error: { code: string; message: string; hint?: string }) => {
      assert.equal(error.code, "INVALID_INPUT");
      assert.match(error.message, message);
      assert.match(error.hint ?? "", hint);
      return true;
    });
  });

for (const [what, misuse, message] of [
  ["a listener", () => createEngine().on(undefined as never), /listener: expected a function, got null/],
  [
    "the types of events",
    () => createEngine().on(() => 1, "call.answered" as never),
    /only: expected a list/,
  ],
  ["a session", () => createEngine().session(5 as never), /id: expected a text, got 5/],
  [
    "the options of a session",
    () => createEngine().session("a", null as never),
    /expected options, got null/,
  ],
  [
    "the options of a source",
    () => createEngine().sources.add(SOURCE, null as never),
    /expected options, got null/,
  ],
  [
    "a source",
    () => createEngine().sources.add({} as never),
    /source: expected an object with a function load/,
  ],
] as const)
  test(`${what} that is none is refused at once`, () => {
    assert.throws(misuse, { code: "INVALID_INPUT", message });
  });

test("an unknown option of a call is answered with those that callers have, not those of the engine", async () => {
  const { error } = (await createEngine().run({ id: "1", name: "t", input: {} }, {
    zzz: 1,
  } as object)) as Failure;
  assert.match(error.hint ?? "", /^use whenAsked, .*timeoutMs/);
  assert.doesNotMatch(error.hint ?? "", /parentId|depth|holdsSlot|resumed/);
});

test("the families of tools know every option of each other", () => {
  // Does not compile without one: the same object is passed to all of them.
  const kinds: OptionKinds<BuiltInOptions & BrowserOptions> = TOOL_OPTIONS;
  assert.equal(kinds.root, "a text");
});
