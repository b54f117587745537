/** What the kernel shows a filter of a system call. */
export interface SystemCall {
  readonly arch: number;
  readonly number: number;
  readonly arguments?: readonly bigint[];
}

const ARGUMENTS = 6;

/**
 * Runs a program of the kernel's packet filters on a system call and returns its verdict. Throws for an instruction that the kernel would refuse, for a
 * jump out of the program, and for a program without a verdict.
 */
export function runFilter(program: Buffer, call: SystemCall): number {
  const data = Buffer.alloc(16 + 8 * ARGUMENTS);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.arch, 4);
  for (const [index, value] of (call.arguments ?? []).entries()) data.writeBigUInt64LE(value, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const [code, value] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)];
    const jump = (holds: boolean): void => void (at += 8 * program.readUInt8(at + (holds ? 2 : 3)));
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the program has no verdict for this call");
}
