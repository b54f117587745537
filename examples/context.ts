// Tools get typed values by key. Values of the call override those of the agent, which override those of the engine.
import assert from "node:assert/strict";
import {
  CurrentAgent,
  SessionKey,
  createEngine,
  createKey,
  defineTool,
  provide,
  provideFor,
} from "toolwright";

interface Database {
  readonly find: (table: string) => readonly string[];
}
const Db = createKey<Database>("Db");
const Tenant = createKey<string>("Tenant");

const listUsers = defineTool({
  name: "list_users",
  description: "Lists the users of the tenant.",
  // Without these it does not even start.
  needs: [Db, Tenant],
  risk: "low",
  run(_input, { get, find }) {
    const users = get(Db).find(`${get(Tenant)}.users`);
    return { users, askedBy: find(CurrentAgent)?.name ?? "nobody" };
  },
});

const database: Database = { find: (table) => [`first of ${table}`] };
const engine = createEngine({ tools: [listUsers], context: [provide(Db, database)] });
const call = { id: "1", name: "list_users", input: {} };

const missing = await engine.run(call);
assert.ok(!missing.ok);
console.log(missing.error);
assert.equal(missing.error.code, "MISSING_CONTEXT");

const agent = { id: "agent-1", name: "clerk", context: [provide(Tenant, "acme")] };
const ofAgent = await engine.run(call, { agent });
assert.ok(ofAgent.ok);
console.log(ofAgent.data);
assert.deepEqual(ofAgent.data, { users: ["first of acme.users"], askedBy: "clerk" });

const ofCall = await engine.run(call, { agent, context: [provide(Tenant, "globex")] });
assert.ok(ofCall.ok);
assert.deepEqual(ofCall.data, { users: ["first of globex.users"], askedBy: "clerk" });
await engine.close();

// A value of its own for each call, here for the session of the call.
const perSession = createEngine({
  tools: [listUsers],
  context: [provide(Db, database), provideFor(Tenant, ({ get }) => `tenant of ${get(SessionKey).id}`)],
});
const ofSession = await perSession.run(call, { session: "s1" });
assert.ok(ofSession.ok);
assert.deepEqual(ofSession.data, { users: ["first of tenant of s1.users"], askedBy: "nobody" });
await perSession.close();
