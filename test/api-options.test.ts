import assert from "node:assert/strict";
import { test } from "node:test";
import { toAiSdkTools } from "../src/doors/ai-sdk.ts";
import { createMemoryCollections, createTeam } from "../src/doors/agent.ts";
import { createMcpSource } from "../src/doors/mcp.ts";
import { openModel } from "../src/doors/models.ts";
import { createTelemetry } from "../src/doors/opentelemetry.ts";
import { createApiSource, createExtensions, createExternalSource } from "../src/doors/sources.ts";
import { createApprovalQueue } from "../src/doors/store.ts";
import { createEngine } from "../src/index.ts";

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
  openModel: (options) => openModel("anthropic/x", options),
};

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
