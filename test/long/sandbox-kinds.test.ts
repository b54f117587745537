import { sandboxAttacks } from "../support/sandbox-attacks.ts";
import { sandboxContract } from "../support/sandbox-contract.ts";

for (const kind of ["srt", "podman"] as const) {
  await sandboxContract(kind);
  await sandboxAttacks(kind);
}
