import { createApprovals } from "../../src/app/gateway/sessions/approvals.ts";
import { createGateway } from "../../src/app/gateway/sessions/gateway.ts";
import type { ServedHttp } from "../../src/app/gateway/http/listening.ts";
import { serveHttp } from "../../src/app/gateway/http/serve-http.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { conformanceTools, plain } from "./test-tools.ts";
import { conformanceResourceTools, conformanceUpstream } from "./test-upstream.ts";

/** Our gateway over an engine that has what the suite asks for. */
export async function serveForSuite(): Promise<Pick<ServedHttp, "address" | "close">> {
  const approvals = createApprovals();
  const engine = createEngine({
    tools: [...conformanceTools(), ...conformanceResourceTools()],
    approver: approvals.approver,
  });
  const upstream = conformanceUpstream();
  engine.add(
    plain("test_trigger_tool_change", () => {
      if (!engine.remove("test_added_tool")) engine.add(plain("test_added_tool", () => "added"));
      return "changed";
    }),
  );
  engine.add(plain("test_trigger_prompt_change", () => (upstream.changed(), "changed")));
  const gateway = createGateway({ engine, approvals, upstream });
  const served = await serveHttp({
    port: 0,
    host: "127.0.0.1",
    isOnNetwork: false,
    // The suite answers forms, as a client may whose token may approve.
    tokens: { read: "r", call: "c", approve: "a", admin: "conformance" },
    ceilings: [],
    open: async () => ({ gateway, people: undefined }),
    print: () => undefined,
  });
  return {
    address: served.address.replace(/token=.*/, "token=conformance"),
    async close() {
      await served.close();
      await gateway.close();
      await engine.close();
    },
  };
}
