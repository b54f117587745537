import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleLayer } from "../src/policy/layers/rule-layer.ts";
import { judgeShell } from "./support/engines/judge-shell.ts";

const NO_INTERNAL: readonly RuleLayer[] = [
  { name: "user", mayAllow: true, rules: [{ domain: ["*.internal", "10.0.0.1"], decision: "deny" }] },
];

for (const [command, inYolo] of [
  ["curl http://a.internal/x", "ask"],
  ["curl -s https://user:word@A.INTERNAL.:8443/x | jq .", "ask"],
  ["wget a.internal", "ask"],
  ["ssh ada@a.internal ls", "ask"],
  ["git clone git@a.internal:x.git", "ask"],
  ["python -c 'import urllib.request as u; u.urlopen(\"http://a.internal\")'", "ask"],
  ["ping 10.0.0.1", "ask"],
  ["curl http://0xa000001/", "ask"],
  ["curl http://example.com/a.internal.html", "allow"],
  ["grep -n http://a.internal README.md", "allow"],
  ["echo http://a.internal > notes", "allow"],
  ["cat > c.json <<'E'\nhttp://a.internal\nE", "allow"],
  ["make", "allow"],
] as const) {
  test(`with denied hosts, ${JSON.stringify(command)} gets ${inYolo} in yolo`, async () => {
    const { kind, rule } = await judgeShell(command, NO_INTERNAL, "yolo");
    assert.equal(kind, inYolo, rule);
  });
}

// No rule names a path, so only the workspace boundary decides.
for (const [command, inAuto, inYolo] of [
  ["cat ~root/x", "ask", "ask"],
  ["echo x > ~nobody/x", "ask", "ask"],
  ["dd if=a of=~root/x", "ask", "ask"],
  ["cat ~-/x", "ask", "ask"],
  ["cat ~+/x", "ask", "allow"],
  ["cat '~root/x'", "allow", "allow"],
] as const) {
  test(`without rules ${JSON.stringify(command)} gets ${inAuto} in auto and ${inYolo} in yolo`, async () => {
    const [auto, yolo] = await Promise.all([judgeShell(command, []), judgeShell(command, [], "yolo")]);
    assert.deepEqual([auto.kind, yolo.kind], [inAuto, inYolo], `${auto.rule}, ${yolo.rule}`);
  });
}

for (const [command, inYolo] of [
  [": > .g*t/config", "ask"],
  [": > .g*t/config.worktree", "ask"],
  [": > .git/conf*", "ask"],
  ["echo x > .git/con{fig,x}", "ask"],
  ["cp x .git/hook[s]/pre-commit", "ask"],
  ["touch {.git/hooks,y}/pre-commit", "ask"],
  ["touch .?nvrc", "ask"],
  ["rm -f .S*/x", "ask"],
  ["rm -f *", "allow"],
  ["rm -f .*.swp", "allow"],
  ["touch .git/*.lock", "allow"],
  ["touch src/{a,b}.ts", "allow"],
  ["touch '.g*t/config'", "allow"],
  ["touch a{b", "allow"],
] as const) {
  test(`a pattern that may expand to a protected file: ${command} gets ${inYolo} in yolo`, async () => {
    const { kind, rule } = await judgeShell(command, [], "yolo");
    assert.equal(kind, inYolo, rule);
  });
}
