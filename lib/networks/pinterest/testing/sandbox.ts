import { mp4 } from "../../../../sandbox/testing/mp4";
import type { App, NetworkSession, OAuthConnect, OutgoingPost } from "../../network";
import { connectBy, sandboxApp, sandboxFor } from "../../testing";
import { makeSession } from "../../wire/fetch";
import { pinterest } from "..";
import type { PinterestSettings } from "../settings";
import { described } from "./described";

export const connect = pinterest.connect as OAuthConnect; // Pinterest's own definition

/** Starts a sandbox whose requests are validated against the OpenAPI file. */
export async function pinterestSandbox() {
  const sandbox = await sandboxFor("pinterest", { described });
  const app = sandboxApp(pinterest, sandbox.url, "pinterest");
  return {
    ...sandbox,
    app,
    connected: (account: string) => connected(app, account),
    video: (seconds = 5) =>
      sandbox.file(mp4({ seconds, fps: 10 }), { kind: "video", contentType: "video/mp4", filename: "video.mp4" }),
    async switches(switches: object) {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(switches) };
      const answer = await fetch(`${sandbox.url}/_control/pinterest/switches`, init);
      if (answer.status !== 204) throw new Error(await answer.text());
    },
  };
}

async function connected(app: App, account: string): Promise<NetworkSession & { board: string; section: string }> {
  const tokens = await connectBy(app, connect, account);
  const anonymous = makeSession(pinterest, app, { accountId: "", username: "", tokens });
  const session = makeSession(pinterest, app, { ...(await pinterest.profile(anonymous)), tokens });
  const [board] = (await pinterest.destinations?.list?.(session)) ?? [];
  if (!board) throw new Error("the sandbox account has no board");
  const sections = await session.fetch(`/v5/boards/${board.id}/sections`);
  const [section] = (await sections.json()).items;
  return { ...session, board: board.id, section: section.id };
}

/** Builds a Pin on a board. */
export function pinOn(
  chatId: string,
  content: string,
  more: Partial<OutgoingPost<PinterestSettings>> = {},
): OutgoingPost<PinterestSettings> {
  return { content, media: [], settings: {}, chatId, ...more };
}
