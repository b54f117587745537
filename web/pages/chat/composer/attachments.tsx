import { useRef, useState, type ReactNode } from "react";
import type { BodyOf } from "../../../../src/app/http/api.ts";
import { bytesOf, plural } from "../../../ui/values/format.ts";
import { Icon } from "../../../ui/controls/icon.tsx";

export type Attachment = NonNullable<BodyOf<"sendMessage">["attachments"]>[number];

/** The server takes a body of 32 MB, and base64 is a third longer than the file. */
const MAX_BYTES = 20_000_000;
const MAX_FILES = 20;

export interface Attached {
  readonly attachments: readonly Attachment[];
  /** Why the last files were not attached. */
  readonly problem: string | undefined;
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (attachment: Attachment) => void;
  readonly clear: () => void;
  /** Attaches what was cleared again, before what was added since. */
  readonly putBack: (attachments: readonly Attachment[]) => void;
}

/** Holds what is attached to the next message. */
export function useAttachments(): Attached {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();
  return {
    attachments,
    problem,
    async add(files) {
      const size = [...attachments.map(sizeOf), ...files.map((file) => file.size)].reduce(
        (sum, one) => sum + one,
        0,
      );
      if (attachments.length + files.length > MAX_FILES || size > MAX_BYTES)
        return setProblem(
          `Not attached: at most ${MAX_FILES} files and ${bytesOf(MAX_BYTES)} fit into a message.`,
        );
      setProblem(undefined);
      // A folder is dropped as a file that cannot be read.
      const read = await Promise.allSettled(files.map(toAttachment));
      const added = read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const unread = files.filter((_, index) => read[index]?.status === "rejected");
      if (unread.length > 0)
        setProblem(`Not attached, cannot be read: ${unread.map(({ name }) => name).join(", ")}`);
      setAttachments((now) => [...now, ...added]);
    },
    remove: (attachment) => setAttachments((now) => now.filter((one) => one !== attachment)),
    clear: () => setAttachments([]),
    putBack: (cleared) => setAttachments((now) => [...cleared, ...now]),
  };
}

async function toAttachment(file: File): Promise<Attachment> {
  const data = toBase64(new Uint8Array(await file.arrayBuffer()));
  return { mimeType: typeOf(file), data, ...(file.name !== "" && { name: file.name }) };
}

/** Returns the bytes in base64. In parts: a function takes a limited number of arguments. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCodePoint(...bytes.subarray(at, at + 0x8000));
  return window.btoa(binary);
}

/** Browsers know no type of most files of code: those are text unless they have a type. */
function typeOf({ type, name }: File): string {
  if (type !== "") return type;
  return /\.(?:zip|gz|bin|exe|so|dll|db|sqlite)$/i.test(name) ? "application/octet-stream" : "text/plain";
}

function sizeOf({ data }: Attachment): number {
  return Math.floor((data.length * 3) / 4);
}

/** What is attached, with a button that takes it out again. */
export function AttachmentList({ attached }: { readonly attached: Attached }): ReactNode {
  const { attachments, problem, remove } = attached;
  return (
    <>
      {attachments.length > 0 && (
        <ul className="attachments" aria-label={plural(attachments.length, "attachment")}>
          {attachments.map((one, index) => (
            // oxlint-disable-next-line no-array-index-key -- the same file can be attached twice
            <li key={index}>
              {one.mimeType.startsWith("image/") && (
                <img src={`data:${one.mimeType};base64,${one.data}`} alt="" />
              )}
              <span className="clip">{one.name ?? "image"}</span>{" "}
              <span className="small muted">{bytesOf(sizeOf(one))}</span>
              <button
                type="button"
                className="button compact plain"
                onClick={() => remove(one)}
                aria-label={`Remove ${one.name ?? "the image"}`}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className="bad-text" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** The button that attaches files. */
export function AttachButton({ add }: Pick<Attached, "add">): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          void add([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <Icon name="attach" /> Attach
      </button>
    </>
  );
}
