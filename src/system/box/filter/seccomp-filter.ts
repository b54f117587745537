import {
  ENOSYS,
  RULES,
  USER_NAMESPACE_RULES,
  type Condition,
  type FilterArch,
  type FilterRule,
} from "./rules.ts";

/** An instruction of the kernel's packet filters: `struct sock_filter`. */
interface Instruction {
  readonly code: number;
  /** How many instructions to skip if a comparison holds, and if not. */
  readonly jumps?: readonly [number, number];
  readonly value: number;
}

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const FAIL = 0x0005_0000;

/** Where `struct seccomp_data` has them. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const ARGUMENTS_AT = 16;
const ARGUMENT_BYTES = 8;

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const ARCHES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const satisfies Record<FilterArch, number>;
/** A call with 32-bit pointers on x64, which has other numbers. */
const X32_BIT = 0x4000_0000;

/**
 * Returns the filter of system calls for sandboxes as a program for `bwrap --seccomp`; undefined for an architecture without a table. What it refuses
 * fails with an error, and so does every call of another architecture; it never ends a program. Without `allowsUserNamespaces` no new user namespace
 * can be created.
 */
export function seccompFilter(arch: string, allowsUserNamespaces = false): Buffer | undefined {
  if (arch !== "x64" && arch !== "arm64") return undefined;
  const rules = allowsUserNamespaces ? RULES : [...RULES, ...USER_NAMESPACE_RULES];
  return encode([
    { code: LOAD, value: ARCH_AT },
    { code: JUMP_IF_EQUAL, jumps: [1, 0], value: ARCHES[arch] },
    fail(ENOSYS),
    { code: LOAD, value: NUMBER_AT },
    ...(arch === "x64"
      ? [{ code: JUMP_IF_ANY_BIT, jumps: [0, 1] as const, value: X32_BIT }, fail(ENOSYS)]
      : []),
    ...rules.flatMap((rule) => toInstructions(rule, arch)),
    { code: RETURN, value: ALLOW },
  ]);
}

function fail(errno: number): Instruction {
  return { code: RETURN, value: FAIL | errno };
}

function toInstructions({ numbers, errno, when }: FilterRule, arch: FilterArch): readonly Instruction[] {
  const number = numbers[arch];
  if (number === undefined) return [];
  const body = [
    ...conditions(when),
    fail(errno),
    ...(when.length > 0 ? [{ code: RETURN, value: ALLOW }] : []),
  ];
  return [{ code: JUMP_IF_EQUAL, jumps: [0, body.length], value: number }, ...body];
}

/** Returns the tests of all conditions; the first that does not hold jumps behind the instruction after them. */
function conditions(when: readonly Condition[]): readonly Instruction[] {
  let after = 0;
  const parts = when.toReversed().map((condition) => {
    const part = test(condition, after);
    after += part.length;
    return part;
  });
  return parts.toReversed().flat();
}

/** Returns the test of a condition that is followed by `after` instructions, the refusal, and the permission. */
function test(condition: Condition, after: number): readonly Instruction[] {
  const load = { code: LOAD, value: ARGUMENTS_AT + ARGUMENT_BYTES * condition.argument };
  if ("hasAnyOf" in condition)
    return [load, { code: JUMP_IF_ANY_BIT, jumps: [0, after + 1], value: condition.hasAnyOf }];
  const isMember = "isOneOf" in condition;
  const values = isMember ? condition.isOneOf : condition.isNoneOf;
  const tests = values.map((value, index): Instruction => {
    const rest = values.length - 1 - index;
    const whenOther = isMember && rest === 0 ? after + 1 : 0;
    return { code: JUMP_IF_EQUAL, jumps: [isMember ? rest : rest + after + 1, whenOther], value };
  });
  return [load, ...tests];
}

const INSTRUCTION_BYTES = 8;

/** Both architectures are little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, { code, jumps: [whenTrue, whenFalse] = [0, 0], value }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  }
  return bytes;
}
