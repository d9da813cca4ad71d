"use client";
import { Button } from "@/components/ui/button";
import { uiWords } from "@/components/ui/words";

/**
 * The page shows no raw error; the details are in the server's log. The button reloads the whole page, because the most
 * common cause is a new version of Carillon whose scripts replaced those of this page.
 */
export default function ErrorPage() {
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-24">
      <h1 className="text-2xl">{uiWords.notLoaded}</h1>
      <p className="text-muted">{uiWords.notLoadedWhy}</p>
      <Button onClick={() => window.location.reload()}>{uiWords.tryAgain}</Button>
    </main>
  );
}
