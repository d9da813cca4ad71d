import type { ShownFile, ShownPost, ShownPublication, ShownSchedule } from "@/lib/staff";
import { utc } from "../console/when";
import { type Html, html, plainPage } from "../plain-page";

/** Nobody's list of pages should hold a preview, and no other site be told its address. */
const UNLISTED = { "X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer" };

/** A link that was just made; it is kept nowhere. */
export function linkPage(url: string, endsAt: Date, scheduleId: number): Response {
  const body = html`<h1>Copy the link</h1>
<p>Whoever has it sees the preview, without an account, until ${utc(endsAt.toISOString())}. It cannot be taken back
before, so give it to nobody else.</p>
<div class="field"><label for="link">Link</label><input id="link" readonly value="${url}" autocomplete="off"></div>
<div class="row"><a class="button" href="${url}">Open it</a>
<a class="button quiet" href="/staff/schedules/${scheduleId}">Back to the schedule</a></div>`;
  return plainPage({ title: "Copy the link", body });
}

/** A schedule as its networks will have it, for somebody without an account. */
export function previewPage({ scheduledTime, publications }: ShownSchedule, endsAt: Date): Response {
  const body = html`<h1>Preview of a post</h1>
<p class="muted">${scheduledTime ? html`Planned for ${utc(scheduledTime)}.` : "Not planned yet."} Only a preview: what a network
shows may differ. This link works until ${utc(endsAt.toISOString())}.</p>
${publications.map(publicationOf)}`;
  return plainPage({ title: "Preview of a post", body, headers: UNLISTED, hasMedia: true });
}

/** One page for every link that shows nothing, and a word more for one that did. */
export function noPreviewPage(hasEnded: boolean): Response {
  const says = hasEnded
    ? "It was made to work for a time, which is over. Ask whoever sent it to you for another one."
    : "It may be mistyped or cut off, or the post was deleted.";
  const body = html`<h1>This link shows nothing${hasEnded && " any more"}</h1><p>${says}</p>`;
  return plainPage({ title: "No preview", body, status: hasEnded ? 410 : 404, headers: UNLISTED });
}

function publicationOf({ network, account, posts }: ShownPublication): Html {
  return html`<section><h2>${network}: ${account}</h2>${posts.map(postOf)}</section>`;
}

function postOf({ content, files, missing, problem }: ShownPost): Html {
  return html`<article class="post"><p class="text">${content}</p>${files.map(fileOf)}
${missing.length > 0 && html`<p class="muted">${missing.length} of its files cannot be shown yet.</p>`}
${problem && html`<p class="notice">As it is, it would not go out: ${problem}</p>`}</article>`;
}

function fileOf({ name, isVideo, url, thumbnailUrl }: ShownFile): Html {
  if (!isVideo) return html`<img src="${url}" alt="${name}">`;
  const poster = thumbnailUrl && html` poster="${thumbnailUrl}"`;
  return html`<video src="${url}"${poster} controls preload="metadata" aria-label="${name}"></video>`;
}
