import { deflateSync } from "node:zlib";

type Shape = {
  pages?: number;
  /** The objects are packed in a compressed stream, as most programs write them (ISO 32000-1, 7.5.7). */
  isPacked?: boolean;
  /** Part of the trailer: a password protects the file. */
  isLocked?: boolean;
  title?: string;
};

/** Returns a PDF with blank pages. */
export function pdf({ pages = 2, isPacked = false, isLocked = false, title = "Bells" }: Shape = {}): Uint8Array {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(" ");
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    `<< /Count ${pages} /Type /Pages /Kids [${kids}] >>`,
    ...Array.from({ length: pages }, () => "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>"),
  ];
  const body = isPacked
    ? packed(objects)
    : objects.map((text, index) => `${index + 1} 0 obj\n${text}\nendobj\n`).join("");
  const locked = isLocked ? " /Encrypt 9 0 R" : "";
  const trailer = `trailer\n<< /Root 1 0 R /Info << /Title (${title}) >>${locked} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.from(`%PDF-1.7\n${body}${trailer}`, "latin1");
}

function packed(objects: string[]): string {
  const lengths = objects.map((text) => text.length + 1);
  const header = objects
    .map((_, index) => `${index + 1} ${lengths.slice(0, index).reduce((sum, length) => sum + length, 0)}`)
    .join(" ");
  const content = deflateSync(Buffer.from(`${header}\n${objects.join("\n")}\n`, "latin1")).toString("latin1");
  const facts = `/Type /ObjStm /N ${objects.length} /First ${header.length + 1} /Filter /FlateDecode`;
  return `${objects.length + 1} 0 obj\n<< ${facts} /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`;
}
