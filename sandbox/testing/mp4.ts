type Shape = {
  seconds?: number;
  width?: number;
  height?: number;
  fps?: number;
  isFastStart?: boolean;
  /** Bytes of each sample. */
  sampleBytes?: number;
  /** Width to height of one pixel. */
  pixelAspect?: [width: number, height: number];
};

/** A valid MP4 with an H.264 track of empty samples, enough for anything that only reads the container (ISO 14496-12). */
export function mp4({
  seconds = 5,
  width = 720,
  height = 1280,
  fps = 30,
  isFastStart = true,
  sampleBytes = 16,
  pixelAspect = [1, 1],
}: Shape = {}): Uint8Array {
  const samples = Math.round(seconds * fps);
  const type = box("ftyp", text("isom"), u32(512), text("isomiso2avc1mp41"));
  const index = (chunkOffset: number) => movie({ samples, width, height, fps, chunkOffset, sampleBytes, pixelAspect });
  const data = box("mdat", Buffer.alloc(samples * sampleBytes, 1));
  const before = type.length + (isFastStart ? index(0).length : 0) + 8;
  return isFastStart ? Buffer.concat([type, index(before), data]) : Buffer.concat([type, data, index(before)]);
}

type Movie = Required<Omit<Shape, "seconds" | "isFastStart">> & { samples: number; chunkOffset: number };

function movie(m: Movie): Buffer {
  const length = m.samples * 1000;
  const scale = m.fps * 1000;
  const header = full("mvhd", 0, u32(0, 0, scale, length, 0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(2));
  const track = full(
    "tkhd",
    3,
    u32(0, 0, 1, 0, length),
    zeros(8),
    u16(0, 0, 0, 0),
    MATRIX,
    u32(m.width << 16, m.height << 16),
  );
  const mediaHeader = full("mdhd", 0, u32(0, 0, scale, length), u16(0x55c4, 0));
  const handler = full("hdlr", 0, u32(0), text("vide"), zeros(12), text("video\0"));
  const dataInfo = box("dinf", full("dref", 0, u32(1), full("url ", 1)));
  const info = box("minf", full("vmhd", 1, zeros(8)), dataInfo, sampleTable(m));
  return box("moov", header, box("trak", track, box("mdia", mediaHeader, handler, info)));
}

function sampleTable(m: Movie): Buffer {
  const sps = Buffer.from("6742c01fda02d02864", "hex"); // Baseline, 720 x 1280
  const pps = Buffer.from("68ce3c80", "hex");
  const config = box(
    "avcC",
    Buffer.from([1, 0x42, 0xc0, 0x1f, 0xff, 0xe1]),
    u16(sps.length),
    sps,
    Buffer.from([1]),
    u16(pps.length),
    pps,
  );
  const size = [
    zeros(6),
    u16(1),
    zeros(16),
    u16(m.width, m.height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(24, 0xffff),
  ];
  return box(
    "stbl",
    full("stsd", 0, u32(1), box("avc1", ...size, config, box("pasp", u32(...m.pixelAspect)))),
    full("stts", 0, u32(1, m.samples, 1000)),
    full("stsc", 0, u32(1, 1, m.samples, 1)),
    full("stsz", 0, u32(m.sampleBytes, m.samples)),
    full("stco", 0, u32(1, m.chunkOffset)),
  );
}

function box(name: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(name), body]);
}

function full(name: string, flags: number, ...parts: Buffer[]): Buffer {
  return box(name, u32(flags), ...parts);
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value >>> 0, index * 4);
  return buffer;
}

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2);
  return buffer;
}

function zeros(count: number): Buffer {
  return Buffer.alloc(count);
}

function text(value: string): Buffer {
  return Buffer.from(value, "latin1");
}

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
