import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { startSandbox } from "../../../sandbox/server";
import { mediaServer } from "./media";

type Fault = { operation: string; fault: string; times?: number; afterSeconds?: number };

/** One post as the sandbox's network holds it. */
export type HeldPost = {
  id: string;
  account: string;
  text: string;
  media: { type: string; sizeBytes: number }[];
  chatId?: string;
  replyTo?: string;
  settings: { [name: string]: unknown };
  permalink: string;
};

/** A sandbox of this test's own, with its controls and a place that media can be fetched from. */
export async function sandboxFor(network: string) {
  const dir = await mkdtemp(join(tmpdir(), "carillon-sandbox-"));
  const [sandbox, media] = await Promise.all([startSandbox({ port: 0, dir }), mediaServer()]);
  const control = async (path: string, body?: object): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
    const response = await fetch(`${sandbox.url}/_control/${path}`, init);
    if (!response.ok) throw new Error(`_control/${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    url: sandbox.url,
    control,
    fault: ({ times = 1, ...fault }: Fault) => control("faults", { network, times, ...fault }),
    clearFaults: () => fetch(`${sandbox.url}/_control/faults`, { method: "DELETE" }),
    advance: (advanceSeconds: number) => control("clock", { advanceSeconds }),
    async posts(): Promise<HeldPost[]> {
      return (await control(`posts?network=${network}`)).json();
    },
    async calls(): Promise<{ operation: string; status: number; path: string }[]> {
      return (await control(`calls?network=${network}`)).json();
    },
    async image({ format = "jpeg" as "jpeg" | "png", width = 400, height = 400, shade = 100 } = {}) {
      const background = { r: shade, g: 120, b: 90 };
      const bytes = await sharp({ create: { width, height, channels: 3, background } })
        .toFormat(format)
        .toBuffer();
      const facts = { kind: "image", contentType: `image/${format}`, filename: `image.${format}` } as const;
      return { ...media.file(bytes, facts), width, height };
    },
    file: media.file,
    async close() {
      await Promise.all([sandbox.close(), media.close()]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type TestSandbox = Awaited<ReturnType<typeof sandboxFor>>;
