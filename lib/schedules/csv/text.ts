import { isUtf8 } from "node:buffer";
import { BadRequest } from "../../errors";

/** How files begin that people take for CSV. */
const KINDS: [name: string, bytes: number[]][] = [
  ["an Excel workbook", [0x50, 0x4b, 0x03, 0x04]],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0]],
  ["UTF-32", [0xff, 0xfe, 0x00, 0x00]],
  ["UTF-16", [0xff, 0xfe]],
  ["UTF-16", [0xfe, 0xff]],
];
const ADVICE = 'Save it as "CSV UTF-8"';

/**
 * A file's bytes as text, without a byte order mark.
 * @throws BadRequest that names what the file is where it is not UTF-8, and the line of the first byte that is not
 */
export function textOf(bytes: Buffer): string {
  const kind =
    KINDS.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0] ?? withoutMark(bytes);
  if (kind) throw new BadRequest(`The file is ${kind}, not CSV in UTF-8. ${ADVICE}`);
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = lineOf(text, text.indexOf("\ufffd"));
    throw new BadRequest(
      `The file is not UTF-8: line ${line} has letters of another encoding, such as Windows-1252. ${ADVICE}`,
    );
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new BadRequest(`The file holds a character that is not text in line ${lineOf(text, nul)}`);
  return text.replace(/^\ufeff/, "");
}

/** Every other byte of plain letters in UTF-16 is zero, whether or not a mark says what it is. */
function withoutMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 64);
  const zeros = head.filter((byte) => byte === 0).length;
  return head.length > 0 && zeros >= head.length / 3 ? "UTF-16" : undefined;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\r|\n/).length;
}
