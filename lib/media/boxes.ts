import { open } from "node:fs/promises";

/**
 * What is wrong with the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2; QuickTime File Format,
 * "Atoms"); undefined where they end exactly at the file's end and `moov` is among them.
 */
export async function boxesProblem(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size: end } = await file.stat();
    const header = Buffer.alloc(16);
    let hasMoov = false;
    let at = 0;
    while (at < end) {
      const { bytesRead } = await file.read(header, 0, 16, at);
      if (bytesRead < 8) return "bytes follow its last box";
      const type = header.toString("latin1", 4, 8);
      // 1 says that the size follows as 64 bits, 0 that the box is the last one.
      const short = header.readUInt32BE(0);
      if (short === 1 && bytesRead < 16) return `its box ${printableType(type)} is cut`;
      const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
      if (!/^[\x20-\x7e\xa9]{4}$/.test(type) || size < (short === 1 ? 16 : 8)) return "bytes follow its last box";
      if (at + size > end) return `its box ${printableType(type)} is cut`;
      if (type === "moov") hasMoov = true;
      at += size;
    }
    return hasMoov ? undefined : "it has no box moov";
  } finally {
    await file.close();
  }
}

const printableType = (type: string) => type.replace(/[^\x20-\x7e]/g, "?");
