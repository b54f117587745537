const HEADER_BYTES = 12;
/** Where fields of an entry begin: the mode, the flags, and the path behind a SHA-1. */
const [MODE, FLAGS, NAME] = [24, 60, 62];
const EXTENDED = 0x4000;
const CHECKSUM_BYTES = 20;
const MAX_PATH = 4096;

/**
 * Returns the paths of the submodules in an index of git, which are repositories with a config of their own. Throws if the index cannot
 * be read, or refers to another file. Takes time linear in its length.
 */
export function submodulesIn(index: Buffer): readonly string[] {
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw unreadable();
  const paths: string[] = [];
  // In the fourth version a path continues the one before.
  const path = Buffer.alloc(MAX_PATH);
  let [at, length] = [HEADER_BYTES, 0];
  for (let entry = 0; entry < count; entry += 1) {
    let name = at + NAME + ((index.readUInt16BE(at + FLAGS) & EXTENDED) === 0 ? 0 : 2);
    let sharedLength = 0;
    if (version === 4) [sharedLength, name] = keptOf(index, name, length);
    const end = index.indexOf(0, name);
    length = sharedLength + end - name;
    if (end < 0 || length > MAX_PATH) throw unreadable();
    index.copy(path, sharedLength, name, end);
    if ((index.readUInt32BE(at + MODE) & 0o170000) === 0o160000) paths.push(path.toString("utf8", 0, length));
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  for (; at < index.length - CHECKSUM_BYTES; at += 8 + index.readUInt32BE(at + 4))
    if (index.toString("latin1", at, at + 4) === "link") throw unreadable();
  return paths;
}

/** Returns how many bytes of the path before this one are kept, and where the rest of this one begins. */
function keptOf(index: Buffer, from: number, length: number): readonly [kept: number, name: number] {
  let at = from;
  let dropped = index.readUInt8(at) & 127;
  while (index.readUInt8(at) > 127) {
    at += 1;
    dropped = (dropped + 1) * 128 + (index.readUInt8(at) & 127);
  }
  if (dropped > length) throw unreadable();
  return [length - dropped, at + 1];
}

function unreadable(): Error {
  return new Error("the index cannot be read");
}
