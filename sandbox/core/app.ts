import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { controlRoutes } from "./control";
import type { Call, Env, NetworkDefinition, Route, SandboxNetwork } from "./network";
import { type Html, PAGE_HEADERS, page } from "./page";
import { type Post, postKey, type StoredMedia } from "./posts";
import { serveCall } from "./serve-call";
import { avatarPath, drawAvatar, isUserName } from "./users";
import type { World } from "./world";

export type Sandbox = {
  app: Hono<Env>;
  control(path: string, init?: RequestInit): Promise<Response>;
  /** Ends the waits of calls whose answers a fault delays, and long polls. */
  stopWaiting(): void;
  close(): void;
};

/** What the control API reads of a connection. */
const FROM_HERE = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };

/**
 * Mounts every simulated network under `/<id>`, with the feed at `/` and the control API under `/_control`.
 * Each call runs through `serveCall`, which records it and applies faults.
 * @param isShared whether the control API also answers other computers
 */
export function createSandbox(world: World, definitions: NetworkDefinition[], isShared: boolean): Sandbox {
  const app = new Hono<Env>();
  const networks = new Map<string, SandboxNetwork>(definitions.map(({ id, open }) => [id, open(world)]));

  app.get("/", (c) => c.html(feedPage(definitions, world.posts.list()), 200, PAGE_HEADERS));
  app.get("/_media/:sha256", (c) => mediaFile(world, c));
  app.all("/_elsewhere/:network/*", (c) => elsewhere(world, c));
  app.route("/_control", controlRoutes(world, networks, isShared));
  for (const { id, atRoot } of definitions) mount(app, world, id, networks.get(id), atRoot);
  app.notFound((c) => c.json({ error: `Unknown network or path: ${new URL(c.req.url).pathname}` }, 404));
  app.onError((error, c) => c.json({ error: error.message }, 500));

  return {
    app,
    async control(path, init = {}) {
      const headers = { ...init.headers, host: "localhost" };
      return app.request(`/_control/${path}`, { ...init, headers }, FROM_HERE);
    },
    stopWaiting: world.stopWaiting,
    close() {
      for (const network of networks.values()) network.close?.();
      world.close();
    },
  };
}

function mount(app: Hono<Env>, world: World, id: string, network?: SandboxNetwork, atRoot: string[] = []): void {
  if (!network) return;
  const avatar: Route = {
    method: "GET",
    path: "/profile_images/:file",
    operation: "other",
    handle: (c) => avatarFile(id, c),
  };
  const missing: Route = { method: "GET", path: "/*", operation: "other", handle: (c) => network.notFound(c) };
  for (const route of [avatar, ...network.routes]) {
    const paths = [
      `/${id}${route.path}`,
      ...(atRoot.some((start) => route.path.startsWith(start)) ? [route.path] : []),
    ];
    app.on(route.method, paths, (c) => serveCall(world, id, network, route, c));
  }
  app.all(`/${id}/*`, (c) => serveCall(world, id, network, missing, c));
}

async function avatarFile(network: string, call: Call): Promise<Response> {
  const [, name = "", small] = /^(.*?)(_normal)?\.jpg$/.exec(call.req.param("file") ?? "") ?? [];
  if (!isUserName(name)) return call.text("Not Found", 404);
  const image = await drawAvatar(network, name, small ? 48 : 400);
  return call.body(new Uint8Array(image), 200, {
    "content-type": "image/jpeg",
    "cache-control": "public, max-age=86400",
  });
}

const SHOWN_TYPES = /^(image\/(jpeg|png|webp|gif|avif|tiff)|video\/(mp4|quicktime|webm|x-matroska|matroska))$/;

/** Serves a stored media file to the feed. The headers keep browsers from running it as a page. */
function mediaFile(world: World, call: Context<Env, "/_media/:sha256">): Response {
  const sha256 = call.req.param("sha256");
  const bytes = world.blobs.read(sha256);
  if (!bytes) return call.text("Not Found", 404);
  const type =
    world.posts
      .list()
      .flatMap((post) => post.media)
      .find((media) => media.sha256 === sha256)?.type ?? "";
  return call.body(new Uint8Array(bytes), 200, {
    "content-type": SHOWN_TYPES.test(type) ? type : "application/octet-stream",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
}

/** The target of the `redirect_elsewhere` fault. It records the call, so tests can see whether a client followed. */
function elsewhere(world: World, call: Context<Env, "/_elsewhere/:network/*">): Response {
  const { finish } = world.calls.start({
    time: new Date(world.clock.now()).toISOString(),
    network: call.req.param("network"),
    operation: "elsewhere",
    method: call.req.method,
    path: new URL(call.req.url).pathname.replace(/\/bot[^/]*/, "/bot<token>"),
  });
  finish(200);
  return call.json({});
}

const SHOWN = 50;

/** The page at `/`: the newest posts of each network, newest first. */
function feedPage(networks: { id: string; name: string }[], posts: Post[]): Html {
  const body = html`
<h1>Sandbox networks</h1>
<p class="soft">Posts published to the simulated networks on this computer. Nothing left this machine.</p>
<nav>${networks.map(({ id, name }) => html`<a href="#${id}">${name}</a>`)}</nav>
${networks.map(({ id, name }) =>
  section(
    id,
    name,
    posts.filter((post) => post.network === id),
  ),
)}`;
  return page("Sandbox networks", body);
}

function section(id: string, name: string, posts: Post[]): Html {
  const newest = posts.slice(-SHOWN).reverse();
  return html`<h2 id="${id}">Sandbox ${name} <span class="soft">${posts.length} ${posts.length === 1 ? "post" : "posts"}</span></h2>
${newest.length === 0 ? html`<p class="soft">No posts yet.</p>` : newest.map((post) => card(name, post))}
${posts.length > SHOWN ? html`<p class="soft">Only the newest ${SHOWN} are shown.</p>` : ""}`;
}

function card(name: string, post: Post): Html {
  const key = `post-${postKey(post)}`;
  return html`<article class="card" id="${key}">
  <div class="by"><img src="${avatarPath(post.network, post.account)}" alt="" width="40" height="40">
    <div><strong>${post.account}</strong><div class="soft">${name}${post.chatId ? ` · chat ${post.chatId}` : ""}${post.replyTo ? ` · reply to ${post.replyTo}` : ""}</div></div></div>
  ${post.text ? html`<p class="text" dir="auto">${post.text}</p>` : ""}
  ${post.media.length > 0 ? html`<div class="media">${post.media.map(thumbnail)}</div>` : ""}
  <div class="foot soft"><a href="#${key}"><time datetime="${post.receivedTime}">${post.receivedTime.replace("T", " ").slice(0, 19)} UTC</time></a> · ${post.permalink}</div>
</article>`;
}

function thumbnail(media: StoredMedia, index: number): Html {
  const address = `/_media/${media.sha256}`;
  return media.type.startsWith("video/")
    ? html`<video src="${address}" controls preload="metadata"></video>`
    : html`<img src="${address}" alt="Attachment ${index + 1}" loading="lazy">`;
}
