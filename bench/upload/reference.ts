import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** The reference server: writes the body of a PUT to a file with 1 MiB buffers. Usage: `reference.ts FOLDER` */
const [folder = "."] = process.argv.slice(2);
let count = 0;

const server = createServer(async (request, response) => {
  const path = join(folder, `reference-${count++}`);
  await pipeline(request, createWriteStream(path, { highWaterMark: 1_048_576 }));
  response.end();
  await rm(path);
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${(server.address() as AddressInfo).port}`));
