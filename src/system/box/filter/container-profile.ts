import { RULES, USER_NAMESPACE_RULES, type Condition, type FilterRule } from "./rules.ts";

/** The families of sockets that Linux has. */
const FAMILIES = 46;
const LOWER_BITS = 0xffff_ffff;
/** With the architectures whose programs run there, too: a container engine ends programs of others. */
const ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  x64: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
  arm64: ["SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"],
};

/** Returns the filter of system calls as container engines read it, in JSON; undefined for an architecture without one. */
export function containerProfile(arch: string): string | undefined {
  const architectures = ARCHITECTURES[arch];
  if (architectures === undefined) return undefined;
  const syscalls = [...RULES, ...USER_NAMESPACE_RULES].flatMap(toEntries);
  return JSON.stringify({ defaultAction: "SCMP_ACT_ALLOW", architectures, syscalls });
}

/** Returns entries that together are the rule: in each, an argument is compared with one value only. */
function toEntries({ name, errno, when }: FilterRule): readonly object[] {
  const choices = when.map((condition) =>
    valuesOf(condition).map((value) => ({ index: condition.argument, op: "SCMP_CMP_MASKED_EQ", ...value })),
  );
  const combined = choices.reduce<readonly (readonly object[])[]>(
    (sofar, one) => sofar.flatMap((args) => one.map((value) => [...args, value])),
    [[]],
  );
  return combined.map((args) => ({ names: [name], action: "SCMP_ACT_ERRNO", errnoRet: errno, args }));
}

/** Returns the mask and the value of each comparison, one of which holds if the condition does. */
function valuesOf(condition: Condition): readonly { readonly value: number; readonly valueTwo: number }[] {
  if ("hasAnyOf" in condition)
    return bitsOf(condition.hasAnyOf).map((bit) => ({ value: bit, valueTwo: bit }));
  const values =
    "isOneOf" in condition
      ? condition.isOneOf
      : Array.from({ length: FAMILIES }, (_one, family) => family).filter(
          (one) => !condition.isNoneOf.includes(one),
        );
  return values.map((valueTwo) => ({ value: LOWER_BITS, valueTwo }));
}

function bitsOf(mask: number): readonly number[] {
  return Array.from({ length: 31 }, (_one, bit) => 2 ** bit).filter((one) => (mask & one) !== 0);
}
