import assert from "node:assert/strict";
import { test } from "node:test";
import { runFilter } from "../../../../test/support/sandboxes/packet-filter.ts";
import { containerProfile } from "./container-profile.ts";
import { RULES, USER_NAMESPACE_RULES, type Condition, type FilterRule } from "./rules.ts";
import { seccompFilter } from "./seccomp-filter.ts";

const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const ARCHES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
/** No filter has more instructions. */
const MOST_INSTRUCTIONS = 4096;

function filterOf(arch: keyof typeof ARCHES, allowsUserNamespaces = false): Buffer {
  const filter = seccompFilter(arch, allowsUserNamespaces);
  assert.ok(filter !== undefined && filter.length % 8 === 0 && filter.length / 8 <= MOST_INSTRUCTIONS);
  return filter;
}

/** Returns values for which a condition holds, and others; each also with a bit that the kernel does not look at. */
function examples(condition: Condition): Readonly<Record<"holding" | "failing", readonly bigint[]>> {
  const wide = (values: readonly number[]): readonly bigint[] =>
    values.flatMap((value) => [BigInt(value >>> 0), BigInt(value >>> 0) | (1n << 40n)]);
  if ("hasAnyOf" in condition) {
    const { hasAnyOf: mask } = condition;
    return { holding: wide([mask, mask | 1, mask & -mask]), failing: wide([0, ~mask]) };
  }
  const others = [3, 5, 9, 11, 15, 17, 38, 40, 44, 0x5401, 0x5413, 0xffff_ffff];
  if ("isOneOf" in condition)
    return {
      holding: wide(condition.isOneOf),
      failing: wide(others.filter((one) => !condition.isOneOf.includes(one))),
    };
  return {
    holding: wide(others.filter((one) => !condition.isNoneOf.includes(one))),
    failing: wide(condition.isNoneOf),
  };
}

/** Returns arguments for which every condition of a rule holds, and such for which one does not. */
function argumentsFor({ when }: FilterRule): Readonly<Record<"refused" | "allowed", readonly bigint[][]>> {
  const first = (condition: Condition): bigint => examples(condition).holding[0] ?? 0n;
  const set = (changed: Condition | undefined, value: bigint): bigint[] => {
    const list = Array.from({ length: 6 }, () => 0n);
    for (const one of when) list[one.argument] = one === changed ? value : first(one);
    return list;
  };
  return {
    refused: [
      set(undefined, 0n),
      ...when.flatMap((one) => examples(one).holding.map((value) => set(one, value))),
    ],
    allowed: when.flatMap((one) => examples(one).failing.map((value) => set(one, value))),
  };
}

for (const arch of ["x64", "arm64"] as const) {
  test(`${arch}: every rule is an error, without its conditions it is none, and every other call passes`, () => {
    const filter = filterOf(arch);
    const rules = [...RULES, ...USER_NAMESPACE_RULES];
    const seen = new Set<number>();
    for (const rule of rules) {
      const number = rule.numbers[arch];
      if (number === undefined) continue;
      assert.ok(!seen.has(number), `${rule.name} has a number of its own`);
      seen.add(number);
      const { refused, allowed } = argumentsFor(rule);
      for (const one of refused)
        assert.equal(
          runFilter(filter, { arch: ARCHES[arch], number, arguments: one }),
          ERRNO | rule.errno,
          rule.name,
        );
      for (const one of allowed)
        assert.equal(runFilter(filter, { arch: ARCHES[arch], number, arguments: one }), ALLOW, rule.name);
    }
    for (let number = 0; number < 1024; number += 1)
      if (!seen.has(number))
        assert.equal(runFilter(filter, { arch: ARCHES[arch], number, arguments: [~0n & 0xffffn] }), ALLOW);
  });

  test(`${arch}: a foreign architecture gets an error for every call, and no call ends the program`, () => {
    const filter = filterOf(arch);
    for (const other of [0x4000_0003, 0x4000_0028, ...Object.values(ARCHES)].filter(
      (one) => one !== ARCHES[arch],
    ))
      for (const number of [0, 1, 41, 165, 0x4000_0001, 0xffff_ffff])
        assert.equal(runFilter(filter, { arch: other, number }), ERRNO | 38);
    for (const number of [0, 56, 257, 435, 0x4000_0000, 0xffff_ffff]) {
      const verdict = runFilter(filter, { arch: ARCHES[arch], number });
      assert.ok(verdict === ALLOW || (verdict & 0xffff_0000) === ERRNO);
    }
  });

  test(`${arch}: only the filter of the browser allows user namespaces`, () => {
    const newUser = [0x1000_0000n, 0x1002_0011n];
    for (const rule of USER_NAMESPACE_RULES)
      for (const one of newUser) {
        const call = { arch: ARCHES[arch], number: rule.numbers[arch] ?? 0, arguments: [one] };
        assert.equal(runFilter(filterOf(arch), call), ERRNO | 1);
        assert.equal(runFilter(filterOf(arch, true), call), ALLOW);
      }
    const setns = { arch: ARCHES[arch], number: arch === "x64" ? 308 : 268 };
    assert.equal(runFilter(filterOf(arch, true), setns), ERRNO | 1);
  });
}

test("x64: the calls of x32 are errors", () => {
  for (const number of [0x4000_0000, 0x4000_0029, 0x4000_0200, 0xffff_ffff])
    assert.equal(runFilter(filterOf("x64"), { arch: ARCHES.x64, number }), ERRNO | 38);
});

test("an architecture without a table has no filter", () => {
  assert.equal(seccompFilter("riscv64"), undefined);
});

/** An entry of a container engine's profile. */
interface Entry {
  readonly names: readonly string[];
  readonly errnoRet: number;
  readonly args: readonly { readonly index: number; readonly value: number; readonly valueTwo: number }[];
}

test("the profile of containers refuses the same calls with the same errors", () => {
  const { defaultAction, syscalls } = JSON.parse(containerProfile("x64") ?? "") as {
    readonly defaultAction: string;
    readonly syscalls: readonly Entry[];
  };
  assert.equal(defaultAction, "SCMP_ACT_ALLOW");
  const refusal = (name: string, values: readonly bigint[]): number | undefined =>
    syscalls.find(
      (entry) =>
        entry.names.includes(name) &&
        entry.args.every(
          ({ index, value, valueTwo }) => ((values[index] ?? 0n) & BigInt(value)) === BigInt(valueTwo),
        ),
    )?.errnoRet;
  for (const rule of [...RULES, ...USER_NAMESPACE_RULES]) {
    const { refused, allowed } = argumentsFor(rule);
    // There are no families of sockets above these.
    const isReal = (values: readonly bigint[]): boolean =>
      !rule.name.startsWith("socket") || (values[0] ?? 0n) % (1n << 32n) < 46n;
    for (const one of refused.filter(isReal)) assert.equal(refusal(rule.name, one), rule.errno, rule.name);
    for (const one of allowed) assert.equal(refusal(rule.name, one), undefined, rule.name);
  }
  assert.equal(refusal("read", [3n]), undefined);
  assert.equal(containerProfile("riscv64"), undefined);
});
