import { utc } from "../console/when";
import { html, plainPage } from "../plain-page";
import { UNLISTED } from "../unlisted";

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

/** Where the preview of a link that is good is drawn. */
export function shownAt(link: string): Response {
  const Location = `/previews/shown?${new URLSearchParams({ link })}`;
  return new Response(null, { status: 303, headers: { ...UNLISTED, Location, "Cache-Control": "no-store" } });
}

/** One page for every link that shows nothing, and a word more for one that did. */
export function noPreviewPage(hasEnded: boolean): Response {
  const says = hasEnded
    ? "It was made to work for a time, which is over. Ask whoever sent it to you for another one."
    : "It may be mistyped or cut off, or the post was deleted.";
  const body = html`<h1>This link shows nothing${hasEnded && " any more"}</h1><p>${says}</p>`;
  return plainPage({ title: "No preview", body, status: hasEnded ? 410 : 404, headers: UNLISTED });
}
