"use client";
import { Button } from "@/components/ui/button";
import { LonePage } from "@/components/ui/card";
import { uiWords } from "@/components/ui/words";

/**
 * The page shows no raw error; the details are in the server's log. The button reloads the whole page, because the most
 * common cause is a new version of Carillon whose scripts replaced those of this page.
 */
export default function ErrorPage() {
  return (
    <LonePage brand={uiWords.brand} title={uiWords.notLoaded} text={uiWords.notLoadedWhy}>
      <Button onClick={() => window.location.reload()}>{uiWords.tryAgain}</Button>
    </LonePage>
  );
}
