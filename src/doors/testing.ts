export type { ScriptedAnswer, ScriptedModel } from "../models/scripted.ts";
export { createScriptedModel } from "../models/scripted.ts";
export type { FakeApprover } from "../app/host/testing/fake-approver.ts";
export { createFakeApprover } from "../app/host/testing/fake-approver.ts";
export type { RecordedSession, ReplayedSession } from "../app/host/testing/recorded-session.ts";
export { answersOf, parseSession, readSession, replay } from "../app/host/testing/recorded-session.ts";
export type { Difference } from "../agent/replay/replay-session.ts";
