import { mp4 } from "../../../../sandbox/testing/mp4";
import type { App, NetworkSession, OAuthConnect, OutgoingPost } from "../../network";
import { connectBy, sandboxApp, sandboxFor } from "../../testing";
import { makeSession } from "../../wire/fetch";
import { linkedin } from "..";
import type { LinkedInSettings } from "../settings";

export const connect = linkedin.connect as OAuthConnect; // LinkedIn's own definition

const MP4 = { kind: "video", contentType: "video/mp4", filename: "video.mp4" } as const;

/** Returns an MP4 padded with this many bytes (ISO 14496-12, `free` box). */
export function paddedMp4(more: number, seconds = 5, fps = 10): Uint8Array {
  const free = Buffer.alloc(8 + more);
  free.writeUInt32BE(free.length, 0);
  free.write("free", 4, "latin1");
  return Buffer.concat([mp4({ seconds, fps }), free]);
}

export async function linkedInSandbox(options: Parameters<typeof sandboxFor>[1] = {}) {
  const sandbox = await sandboxFor("linkedin", options);
  const app = sandboxApp(linkedin, sandbox.url, "linkedin");
  return {
    ...sandbox,
    app,
    connected: (account: string) => connected(app, account),
    /** Uploads as many parts of 4 MiB as needed. */
    video: (sizeBytes = 100_000, seconds = 5) => sandbox.file(paddedMp4(sizeBytes, seconds), MP4),
    switches: (switches: object) => control(sandbox.url, "switches", switches),
    /** Gives a member a role on a company page, and returns the page's URN. */
    async page(account: string, id: string, facts: object = {}) {
      await control(sandbox.url, "page", { account, id, name: `Page ${id}`, ...facts });
      return `urn:li:organization:${id}`;
    },
  };
}

async function control(url: string, name: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/_control/linkedin/${name}`, init);
  if (answer.status !== 204) throw new Error(await answer.text());
}

async function connected(app: App, account: string): Promise<NetworkSession> {
  const tokens = await connectBy(app, connect, account);
  const anonymous = makeSession(linkedin, app, { accountId: "", username: "", tokens });
  return makeSession(linkedin, app, { ...(await linkedin.profile(anonymous)), tokens });
}

export function post(
  content: string,
  more: Partial<OutgoingPost<LinkedInSettings>> = {},
): OutgoingPost<LinkedInSettings> {
  return { content, media: [], settings: { visibility: "PUBLIC" }, ...more };
}
