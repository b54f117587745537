/** A PDF whose pages have these texts, one line each. */
export function pdf(pages: readonly string[], trailer = ""): Buffer {
  const objects = ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"];
  const kids = pages.map((text, index) => {
    const stream = text === "" ? "" : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const resources = "/Resources << /Font << /F1 1 0 R >> >>";
    objects.push(
      `<< /Type /Page /Parent ${2 * pages.length + 2} 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${2 * index + 2} 0 R >>`,
    );
    return `${2 * index + 3} 0 R`;
  });
  objects.push(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} >>`);
  objects.push(`<< /Type /Catalog /Pages ${objects.length} 0 R >>`);
  return assemble(objects, trailer);
}

/** Returns the bytes of a PDF with these objects; the last is its catalogue. */
export function assemble(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root ${objects.length} 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}
