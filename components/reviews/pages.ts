import { html, plainPage, UNLISTED } from "../plain/page";
import { reviewWords } from "./words";

/** Redirects to the review page; `said` after the form was submitted. */
export function reviewShownAt(link: string, said = false): Response {
  const query = new URLSearchParams({ link, ...(said ? { said: "1" } : {}) });
  const Location = `/reviews/shown?${query}${said ? "#feedback" : ""}`;
  return new Response(null, { status: 303, headers: { ...UNLISTED, Location, "Cache-Control": "no-store" } });
}

/** The page for invalid links, with a note for expired ones. */
export function noReviewPage(hasEnded: boolean): Response {
  const [heading, says] = hasEnded
    ? [reviewWords.page.showsNothingMore, reviewWords.page.hasEnded]
    : [reviewWords.page.showsNothing, reviewWords.page.isUnknown];
  const body = html`<h1>${heading}</h1><p>${says}</p>`;
  return plainPage({ title: reviewWords.page.noPreview, body, status: hasEnded ? 410 : 404, headers: UNLISTED });
}

/** The page shown if feedback could not be stored; going back keeps the text. */
export function notKeptPage(status: number, problems: string[]): Response {
  const body = html`<h1>${reviewWords.page.wasNotPassedOn}</h1>
<ul>${problems.map((problem) => html`<li>${reviewWords.page.problem(problem)}</li>`)}</ul>
<p>${reviewWords.page.goBack}</p>`;
  return plainPage({ title: reviewWords.page.notPassedOn, body, status, headers: UNLISTED });
}
