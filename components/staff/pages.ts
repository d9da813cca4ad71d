import { utc } from "../console/table";
import { html, plainPage, UNLISTED } from "../plain/page";
import { staffWords } from "./words";

/** Shows a new preview link, which is not stored. */
export function linkPage(url: string, endsAt: Date, scheduleId: number): Response {
  const body = html`<h1>${staffWords.schedulePage.copyLink}</h1>
<p>${staffWords.schedulePage.whoSees(utc(endsAt.toISOString()))}</p>
<div class="field"><label for="link">${staffWords.schedulePage.link}</label><input id="link" readonly value="${url}" autocomplete="off"></div>
<div class="row"><a class="button" href="${url}">${staffWords.schedulePage.open}</a>
<a class="button quiet" href="/staff/schedules/${scheduleId}">${staffWords.schedulePage.back}</a></div>`;
  return plainPage({ title: staffWords.schedulePage.copyLink, body });
}

/** Redirects to the preview of a valid link. */
export function shownAt(link: string): Response {
  const Location = `/previews/shown?${new URLSearchParams({ link })}`;
  return new Response(null, { status: 303, headers: { ...UNLISTED, Location, "Cache-Control": "no-store" } });
}

/** The page for invalid links, with a note for expired ones. */
export function noPreviewPage(hasEnded: boolean): Response {
  const [title, why] = hasEnded
    ? [staffWords.schedulePage.showsNoMore, staffWords.schedulePage.showsNoMoreWhy]
    : [staffWords.schedulePage.showsNothing, staffWords.schedulePage.showsNothingWhy];
  const body = html`<h1>${title}</h1><p>${why}</p>`;
  return plainPage({ title: staffWords.schedulePage.noPreview, body, status: hasEnded ? 410 : 404, headers: UNLISTED });
}

/** Why the staff pages are closed to this staff member, and the way to open them. */
export function staffLockedPage(): Response {
  const { title, why, setUp } = staffWords.secondFactor;
  const body = html`<h1>${title}</h1><p>${why}</p><div class="row"><a class="button" href="/settings">${setUp}</a></div>`;
  return plainPage({ title, body, status: 403 });
}
