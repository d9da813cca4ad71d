import { unknownSubscriptionPage, unsubscribedPage, unsubscribePage } from "@/components/plain/session/mail-pages";
import { readForm } from "@/lib/http/form";
import { noticeWords, readSubscription, setSubscribed } from "@/lib/mail";

export function GET(request: Request): Response {
  const asked = askedOf(request);
  return asked ? unsubscribePage(asked.page) : unknownSubscriptionPage();
}

/**
 * Unsubscribes, from the page's button or from a mail program, which posts here without a cookie and without our Origin
 * (RFC 8058). The address identifies the subscription. Any body except our own "again" means stop.
 */
export async function POST(request: Request): Promise<Response> {
  const asked = askedOf(request);
  if (!asked) return unknownSubscriptionPage();
  const isWanted = (await readForm(request))?.get("wish") === "again";
  await setSubscribed(asked.subscription, isWanted);
  return unsubscribedPage(asked.page, isWanted);
}

function askedOf(request: Request) {
  const text = new URL(request.url).searchParams.get("s") ?? "";
  const subscription = readSubscription(text);
  const words = noticeWords().find(({ kind }) => kind === subscription?.kind);
  return subscription && words && { subscription, page: { subscription: text, label: words.label } };
}
