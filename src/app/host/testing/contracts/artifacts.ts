import assert from "node:assert/strict";
import type { ErrorCode } from "../../../../core/errors.ts";
import type { Artifacts, ArtifactSlice } from "../../../../core/store/artifacts.ts";
import { LIMIT_SEARCHES, SEARCHES } from "./artifact-searches.ts";
import { assertEnds, readAll, write, type ArtifactLimits, type OpenArtifacts } from "./artifact-texts.ts";
import { dispose, registerCases, type Cases, type ContractOptions } from "./kit.ts";
import { createRandom } from "./random.ts";

/** Options of the tests of artifacts. */
export interface ArtifactContractOptions extends ContractOptions {
  /** False: `create` cannot set size limits, and the cases about them are left out. Default: true. */
  readonly takesLimits?: boolean;
}

/**
 * Registers the contract of every store of artifacts as tests: each creates one without artifacts, with these size limits or its own. Experimental: cases
 * may be added in a minor version.
 */
export function testArtifacts(
  create: (limits?: ArtifactLimits) => Promise<Artifacts & Partial<AsyncDisposable>>,
  options: ArtifactContractOptions = {},
): void {
  const open: OpenArtifacts = async (limits) => {
    const artifacts = await create(limits);
    return { artifacts, [Symbol.asyncDispose]: () => dispose(artifacts) };
  };
  const { takesLimits = true, ...others } = options;
  const ofLimits = takesLimits ? { ...LIMIT_CASES, ...LIMIT_SEARCHES } : {};
  registerCases({ ...CASES, ...SEARCHES, ...ofLimits }, open, others);
}

const CASES: Cases<OpenArtifacts> = {
  "a text written in chunks is read back whole": async ({ open }) => {
    await using opened = await open();
    const info = await write(opened.artifacts, ["one\n", "", "two\n", "three"]);
    assert.deepEqual([info.size, info.dropped], [13, 0]);
    assert.deepEqual(await opened.artifacts.info(info.id), info);
    assert.equal(await readAll(opened.artifacts, info.id), "one\ntwo\nthree");
  },

  "an empty artifact is read as empty": async ({ open }) => {
    await using opened = await open();
    const { id, size } = await write(opened.artifacts, []);
    assert.equal(size, 0);
    assert.deepEqual(await opened.artifacts.read(id, 0, 100), { text: "", start: 0, end: 0, size: 0 });
    assert.deepEqual(await opened.artifacts.search(id, /^/, 10), []);
  },

  "an id that was never issued is unknown, whatever path it contains": async ({ open }) => {
    await using opened = await open();
    const { id } = await write(opened.artifacts, ["text"]);
    const ids = ["", "../../etc/passwd", "/etc/passwd", `../artifacts/${id}`, `${id}.txt`, `${id}\n`];
    for (const unknown of [...ids, id.toUpperCase(), "\0", "__proto__", id.slice(0, -1)]) {
      assert.equal(await opened.artifacts.info(unknown), undefined, unknown);
      assert.equal(await opened.artifacts.read(unknown, 0, 10), undefined, unknown);
      assert.equal(await opened.artifacts.search(unknown, /./, 10), undefined, unknown);
    }
  },

  "ids differ and cannot be guessed from one another": async ({ open }) => {
    await using opened = await open();
    const ids = new Set<string>();
    for (let count = 0; count < 50; count++) ids.add((await write(opened.artifacts, ["x"])).id);
    assert.equal(ids.size, 50);
    for (const id of ids) assert.match(id, /^[\w-]{20,}$/);
  },

  "closing a writer twice gives one artifact, and later text is ignored": async ({ open }) => {
    await using opened = await open();
    const writer = opened.artifacts.create();
    await writer.write("text");
    const [first, second] = await Promise.all([writer.close(), writer.close()]);
    await writer.write(" more");
    assert.deepEqual(first, second);
    assert.equal(await readAll(opened.artifacts, writer.id), "text");
  },

  "a slice begins and ends on character boundaries and always advances": async ({ open }) => {
    await using opened = await open();
    const { id, size } = await write(opened.artifacts, ["aé€💥z"]);
    assert.equal(size, 11);
    const slice = (start: number, length: number): Promise<ArtifactSlice | undefined> =>
      opened.artifacts.read(id, start, length);
    assert.deepEqual(await slice(0, 4), { text: "aé", start: 0, end: 3, size });
    assert.deepEqual(await slice(4, 4), { text: "€", start: 3, end: 6, size });
    assert.deepEqual(await slice(6, 1), { text: "💥", start: 6, end: 10, size });
    assert.deepEqual(await slice(9, 2), { text: "💥z", start: 6, end: 11, size });
    assert.deepEqual(await slice(11, 5), { text: "", start: 11, end: 11, size });
    assert.deepEqual(await slice(99, 5), { text: "", start: 11, end: 11, size });
    assert.deepEqual(await slice(0, 0), { text: "", start: 0, end: 0, size });
    assert.deepEqual(await slice(-5, 1), { text: "a", start: 0, end: 1, size });
    assert.deepEqual(await slice(Number.NaN, Infinity), { text: "aé€💥z", start: 0, end: 11, size });
  },

  "a character split over two chunks stays one; half a character alone is replaced": async ({ open }) => {
    await using opened = await open();
    const { id } = await write(opened.artifacts, ["a\ud83d", "", "\udca5b", "\ud83d", "c", "\ud83d"]);
    assert.equal(await readAll(opened.artifacts, id), "a💥b\ufffdc\ufffd");
  },

  "many writers at once keep their texts apart": async ({ open }) => {
    await using opened = await open();
    const letters = Array.from("abcdefghijklmnop");
    const infos = await Promise.all(
      letters.map((letter) =>
        write(
          opened.artifacts,
          Array.from({ length: 50 }, () => letter.repeat(1000)),
        ),
      ),
    );
    for (const [index, { id }] of infos.entries()) {
      assert.equal(await readAll(opened.artifacts, id), letters[index]?.repeat(50_000));
    }
  },

  "a caller that never waits loses nothing": async ({ open }) => {
    await using opened = await open();
    const writer = opened.artifacts.create();
    const pieces = Array.from({ length: 3000 }, (_, index) => `${index} `.repeat(500));
    const waits = pieces.map((piece) => writer.write(piece));
    const { size } = await writer.close();
    assert.equal(size, pieces.join("").length);
    for (const wait of waits) await wait;
    assert.equal(await readAll(opened.artifacts, writer.id, 1_000_000), pieces.join(""));
  },

  "once closed, nothing more can be created": async ({ open }) => {
    await using opened = await open();
    await opened.artifacts.close();
    assert.throws(() => opened.artifacts.create(), { code: "UNAVAILABLE" satisfies ErrorCode });
    await opened.artifacts.close();
  },
};

/** Only for stores whose size limits can be set. */
const LIMIT_CASES: Cases<OpenArtifacts> = {
  "over the size limit the middle is dropped, and the gap is marked": async ({ open }) => {
    await using opened = await open({ maxBytes: 20 });
    const { id, ...info } = await write(opened.artifacts, ["0123456789", "-".repeat(75), "abcdefghij"]);
    assert.deepEqual([info.size, info.dropped], [95, 75]);
    const notice = "[… 75 bytes dropped …]\n";
    const slice = (start: number, length: number): Promise<ArtifactSlice | undefined> =>
      opened.artifacts.read(id, start, length);
    assert.deepEqual(await slice(0, 10), { text: "0123456789", start: 0, end: 10, size: 95 });
    assert.deepEqual(await slice(8, 5), { text: `89\n${notice}abc`, start: 8, end: 88, size: 95 });
    assert.deepEqual(await slice(10, 2), { text: `${notice}ab`, start: 10, end: 87, size: 95 });
    assert.deepEqual(await slice(50, 2), { text: `${notice}ab`, start: 10, end: 87, size: 95 });
    assert.deepEqual(await slice(85, 2), { text: "ab", start: 85, end: 87, size: 95 });
    assert.equal(await readAll(opened.artifacts, id, 3), `0123456789\n${notice}abcdefghij`);
  },

  "the head and the tail of any text are stored, in chunks of any size": async ({ open, runs }) => {
    await using opened = await open({ maxBytes: 64 });
    const random = createRandom(3);
    for (let round = 0; round < runs; round += 1) {
      const texts = random.list(12, () => random.text(40));
      const whole = texts.join("");
      const bytes = Buffer.byteLength(whole);
      const { id, size, dropped } = await write(opened.artifacts, texts);
      assert.equal(size, bytes);
      const stored = await readAll(opened.artifacts, id, 1 + random.upTo(49));
      if (bytes <= 64) assert.equal(stored, whole);
      else assertEnds(stored, whole, dropped);
    }
  },

  "over the total size limit the oldest artifacts are removed and the newest stays": async ({ open }) => {
    await using opened = await open({ maxBytes: 4000, maxTotalBytes: 10_000 });
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) ids.push((await write(opened.artifacts, ["x".repeat(3000)])).id);
    const infos = await Promise.all(ids.map((id) => opened.artifacts.info(id)));
    const there = infos.map((info) => info !== undefined);
    assert.deepEqual([there[0], there.at(-1)], [false, true]);
    assert.ok(there.filter(Boolean).length * 3000 <= 10_000, there.join());
    assert.equal(there.indexOf(true), there.lastIndexOf(false) + 1, "only the newest are opened");
    assert.equal(await opened.artifacts.read(ids[0] ?? "", 0, 10), undefined);
  },
};
