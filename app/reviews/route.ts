import { noReviewPage, notKeptPage, reviewShownAt } from "@/components/reviews/pages";
import { reviewWords } from "@/components/reviews/words";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import { uiWords } from "@/components/ui/words";
import { BadRequest, Conflict, NotFound, StateExpired } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { createFeedback, isReviewLinkOpen } from "@/lib/reviews";

export const dynamic = "force-dynamic";

/** A review link: redirects to the preview, or explains why the link does not work. */
export async function GET(request: Request): Promise<Response> {
  const link = new URL(request.url).searchParams.get("link") ?? "";
  return answered(async () => ((await isReviewLinkOpen(link)) ? reviewShownAt(link) : noReviewPage(true)));
}

/**
 * Feedback from a person with a review link. The link in the form is the only credential; cookies are not used.
 */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return notKeptPage(400, [uiWords.formUnread]);
  if (!isOwnForm(request)) return notKeptPage(403, [uiWords.formFromElsewhere]);
  const verdict = fieldOf(form, "verdict");
  const said = { name: fieldOf(form, "name"), text: fieldOf(form, "text"), digest: fieldOf(form, "shown") };
  return answered(async () => {
    await createFeedback(fieldOf(form, "link"), { ...said, ...(isVerdict(verdict) ? { verdict } : {}) });
    return reviewShownAt(fieldOf(form, "link"), true);
  });
}

/** Whether it is one of the answers that the page offers. */
function isVerdict(text: string): text is keyof typeof reviewWords.verdicts {
  return Object.hasOwn(reviewWords.verdicts, text);
}

async function answered(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFound) return noReviewPage(false);
    if (error instanceof StateExpired) return noReviewPage(true);
    if (error instanceof BadRequest) return notKeptPage(400, error.problems);
    if (error instanceof Conflict) return notKeptPage(409, [error.message]);
    throw error;
  }
}
