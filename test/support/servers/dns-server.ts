import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import type { TestContext } from "node:test";

/** The records of a name: addresses, or the name that it stands for. Called for each question, so that answers can change. */
export type Records = (name: string) => readonly string[] | { readonly cname: string };

/** Starts a DNS server on loopback; returns a function that resolves names through it, following aliases. */
export async function startDnsServer(
  t: TestContext,
  records: Records,
): Promise<(name: string) => Promise<readonly string[]>> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => socket.send(answer(query, records), port, address));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  t.after(() => socket.close());
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return async (name) => {
    const found = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ]);
    return found.flat();
  };
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;

function answer(query: Buffer, records: Records): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const type = question.readUInt16BE(question.length - 4);
  const rows = rowsOf(nameOf(question), type, records);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(rows.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, question, ...rows]);
}

/** Answers with the whole chain of aliases, as a resolver does. */
function rowsOf(name: string, type: number, records: Records): readonly Buffer[] {
  const found = records(name);
  if ("cname" in found)
    return [row(name, TYPES.CNAME, encodeName(found.cname)), ...rowsOf(found.cname, type, records)];
  const wanted = found.filter((address) => address.includes(":") === (type === TYPES.AAAA));
  return wanted.map((address) => row(name, type, encodeAddress(address)));
}

function row(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function nameOf(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at] !== 0; at += (question[at] ?? 0) + 1)
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] ?? 0)));
  return labels.join(".");
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function encodeAddress(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0");
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
