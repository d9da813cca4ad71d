import http from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll } from "vitest";

export function jpeg(width = 800, height = 800, colour = "#3366cc"): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
}

export function png(width = 200, height = 200): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#883311" } })
    .png()
    .toBuffer();
}

/** An animation of two frames in different colours. */
export async function gif(): Promise<Buffer> {
  const frames = ["#ff0000", "#0000ff"].map((background) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer();
}

export type MediaServer = {
  address(name: string): string;
  serve(name: string, bytes: Uint8Array, type: string): string;
  /** The User-Agent headers of all requests so far. */
  agents(): Set<string | undefined>;
};

/** A web server for media that networks fetch by URL. */
export function testMediaServer(): MediaServer {
  const files = new Map<string, { bytes: Uint8Array; type: string }>();
  const agents = new Set<string | undefined>();
  const server = http.createServer((request, response) => {
    agents.add(request.headers["user-agent"]);
    const file = files.get(request.url?.slice(1) ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" });
    response.end(file?.bytes);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = (name: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  return {
    address,
    serve(name, bytes, type) {
      files.set(name, { bytes, type });
      return address(name);
    },
    agents: () => agents,
  };
}
