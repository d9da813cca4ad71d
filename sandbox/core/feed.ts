import { html } from "hono/html";
import { type Html, page } from "./page";
import { type Post, postKey, type StoredMedia } from "./posts";
import { avatarPath } from "./users";

const SHOWN = 50;

/** The page at `/`: the newest posts of each network, newest first. */
export function feedPage(networks: { id: string; name: string }[], posts: Post[]): Html {
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
