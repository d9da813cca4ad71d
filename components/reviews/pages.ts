import { html, plainPage } from "../plain-page";
import { UNLISTED } from "../unlisted";

/** Where a link that is good leads; `said` after its form was sent. */
export function reviewShownAt(link: string, said = false): Response {
  const query = new URLSearchParams({ link, ...(said ? { said: "1" } : {}) });
  const Location = `/reviews/shown?${query}${said ? "#feedback" : ""}`;
  return new Response(null, { status: 303, headers: { ...UNLISTED, Location, "Cache-Control": "no-store" } });
}

/** One page for every link that shows nothing, and a word more for one that did. */
export function noReviewPage(hasEnded: boolean): Response {
  const says = hasEnded
    ? "It was made to work for a time, which is over. Ask whoever sent it to you for another one."
    : "It may be mistyped or cut off, it may have been taken back, or the post was deleted.";
  const body = html`<h1>This link shows nothing${hasEnded && " any more"}</h1><p>${says}</p>`;
  return plainPage({ title: "No preview", body, status: hasEnded ? 410 : 404, headers: UNLISTED });
}

/** What was sent could not be kept; what was typed is still there a step back. */
export function notKeptPage(status: number, problems: string[]): Response {
  const body = html`<h1>This was not passed on</h1>
<ul>${problems.map((problem) => html`<li>${problem}.</li>`)}</ul>
<p>Go back in your browser: what you wrote is still there.</p>`;
  return plainPage({ title: "Not passed on", body, status, headers: UNLISTED });
}
