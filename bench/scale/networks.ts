import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";

/**
 * Ten simulated networks that cost little CPU, for measurements of the workers: `tsx networks.ts <port>`. Each answers the calls
 * of one text or image after 100 ms and accepts every post at once. It keeps no state except which posts went out: each text
 * contains `bench-<number>`, and the IDs that it gives out contain the number too. `GET /arrivals` returns a line per post:
 * its number, when its final call arrived (milliseconds since 1970), and how many arrived.
 */
const CALL_MS = 100;
/** Telegram holds a request for updates open while there are none. */
const UPDATES_MS = 20_000;

type Call = { method: string; path: string; query: URLSearchParams; body: string };
/** `sent` is the number of a post that is public from now on. */
type Answer = { status?: number; headers?: { [name: string]: string }; body?: unknown; sent?: number };
type Network = (call: Call) => Answer | undefined;

/** The number of the post in a request that contains its text. */
const numberIn = (text: string): number => Number(/bench-(\d+)/.exec(text)?.[1]);
const idOf = (kind: 1 | 2, number: number) => `${kind}${String(number).padStart(15, "0")}`;
/** The number in an ID of `idOf`. */
const numberOf = (id: string) => Number(id.slice(1));

const networks: { [name: string]: Network } = {
  x: ({ body }) => {
    const sent = numberIn(body);
    return { status: 201, body: { data: { id: idOf(1, sent), text: "" } }, sent };
  },
  linkedin: ({ body }) => {
    const sent = numberIn(body);
    return { status: 201, headers: { "x-restli-id": `urn:li:share:${idOf(1, sent)}` }, sent };
  },
  bluesky: ({ body }) => {
    const { repo, rkey } = JSON.parse(body) as { repo: string; rkey: string };
    return { body: { uri: `at://${repo}/app.bsky.feed.post/${rkey}`, cid: "bafyreibench" }, sent: numberIn(body) };
  },
  telegram: ({ path, body }) => {
    const { chat_id, user_id } = body ? (JSON.parse(body) as { chat_id?: string; user_id?: number }) : {};
    const chat = { id: Number(chat_id), title: "News", username: "bench_news", type: "channel" };
    const result = (value: unknown, sent?: number) => ({ body: { ok: true, result: value }, sent });
    if (path.endsWith("/getChat")) return result(chat);
    if (path.endsWith("/getChatMember")) return result({ user: { id: user_id }, status: "creator" });
    if (!path.endsWith("/sendMessage")) return undefined;
    const sent = numberIn(body);
    return result({ message_id: sent, chat, date: 1 }, sent);
  },
  facebook: ({ method, path, query, body }) => {
    const [, , id = "", what] = path.split("/");
    if (what === "published_posts") return { body: { data: [] } };
    if (query.get("fields") === "access_token") return { body: { id, access_token: "page-token" } };
    if (method === "GET") return { body: { id, permalink_url: `https://www.facebook.com/${id}` } };
    const sent = numberIn(body);
    return { body: { id: `${id}_${idOf(1, sent)}` }, sent };
  },
  pinterest: ({ method, body }) => {
    if (method === "GET") return { body: { items: [], bookmark: null } };
    const sent = numberIn(body);
    return { status: 201, body: { id: idOf(1, sent), board_id: "1", created_at: "2026-01-01T00:00:00" }, sent };
  },
  threads: ({ method, path, query, body }) => {
    const quota = { quota_usage: 0, config: { quota_total: 250, quota_duration: 86_400 } };
    if (path.endsWith("/threads_publishing_limit")) return { body: { data: [quota] } };
    return graphContainers({ method, path, query, body }, "/threads", "/threads_publish");
  },
  instagram: ({ method, path, query, body }) => {
    const quota = { quota_usage: 0, config: { quota_total: 100, quota_duration: 86_400 } };
    if (path.endsWith("/content_publishing_limit")) return { body: { data: [quota] } };
    return graphContainers({ method, path, query, body }, "/media", "/media_publish");
  },
  tiktok: ({ path, body }) => {
    const answer = (data: object, sent?: number) => ({ body: { data, error: { code: "ok", message: "" } }, sent });
    if (path.includes("/creator_info/")) return answer(CREATOR);
    if (path.includes("/video/list/")) return answer({ videos: [], cursor: 0, has_more: false });
    if (path.includes("/content/init/")) {
      const sent = numberIn(body);
      return answer({ publish_id: `p_pub_url~v2.${idOf(1, sent)}` }, sent);
    }
    const id = /1\d{15}/.exec(body)?.[0];
    if (path.includes("/status/fetch/"))
      return answer({ status: "PUBLISH_COMPLETE", publicaly_available_post_id: [Number(id)] });
    if (!path.includes("/video/query/")) return undefined;
    return answer({ videos: [{ id, share_url: `https://www.tiktok.com/@bench/photo/${id}` }] });
  },
  youtube: ({ method, path, query, body }) => {
    const upload = query.get("upload_id");
    if (method === "POST") {
      return { headers: { location: `http://localhost:${port}/youtube${path}?upload_id=${numberIn(body)}` } };
    }
    if (method === "PUT" && upload) {
      const video = { id: `v${upload.padStart(10, "0")}`, status: { uploadStatus: "uploaded" } };
      return { body: video, sent: Number(upload) };
    }
    const status = { uploadStatus: "processed", privacyStatus: "public" };
    const processingDetails = { processingStatus: "succeeded" };
    return { body: { items: [{ id: query.get("id"), status, processingDetails }] } };
  },
};

const CREATOR = {
  creator_username: "bench",
  creator_nickname: "Bench",
  creator_avatar_url: "http://localhost/picture.jpg",
  privacy_level_options: ["PUBLIC_TO_EVERYONE", "SELF_ONLY"],
  ...{ comment_disabled: false, duet_disabled: false, stitch_disabled: false, max_video_post_duration_sec: 180 },
};

/** Threads and Instagram create a container first, and then publish it. */
function graphContainers({ method, path, query, body }: Call, create: string, publish: string): Answer {
  const id = path.split("/").at(-1) ?? "";
  if (method === "POST" && path.endsWith(publish)) {
    const number = numberOf(new URLSearchParams(body).get("creation_id") ?? "");
    return { body: { id: idOf(2, number) }, sent: number };
  }
  if (method === "POST") return { body: { id: idOf(1, numberIn(body)) } };
  if (path.endsWith(create)) return { body: { data: [] } };
  if (query.get("fields")?.includes("permalink")) {
    return { body: { id, permalink: `https://example.com/${id}`, media_product_type: "FEED" } };
  }
  return { body: { id, status: "FINISHED", status_code: "FINISHED" } };
}

const arrivals = new Map<number, { at: number; times: number }>();
const port = Number(process.argv[2]);

function answer(call: Call, arrivedAt: number, response: ServerResponse): void {
  const [, first = "", ...rest] = call.path.split("/");
  const name = first === "xrpc" ? "bluesky" : first; // an account's own server
  const found = networks[name]?.({ ...call, path: `/${rest.join("/")}` });
  if (!found) {
    console.error(`unexpected call: ${call.method} ${call.path}`);
    response.writeHead(503).end();
    return;
  }
  const { status = 200, headers = {}, body, sent } = found;
  if (sent !== undefined) {
    const before = arrivals.get(sent);
    arrivals.set(sent, { at: before?.at ?? arrivedAt, times: (before?.times ?? 0) + 1 });
  }
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

function listener(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/arrivals") {
    response.end([...arrivals].map(([number, { at, times }]) => `${number} ${at} ${times}`).join("\n"));
    return;
  }
  const url = new URL(request.url ?? "/", "http://localhost");
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString("latin1");
    const call = { method: request.method ?? "GET", path: url.pathname, query: url.searchParams, body };
    if (url.pathname.endsWith("/getUpdates")) {
      setTimeout(() => response.end(JSON.stringify({ ok: true, result: [] })), UPDATES_MS);
    } else setTimeout(answer, CALL_MS, call, Date.now(), response);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const host of ["127.0.0.1", "::1"]) {
    createServer(listener)
      .on("error", (error) => console.error(String(error)))
      .listen(port, host, () => console.log("listening"));
  }
}
