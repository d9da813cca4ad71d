import { connection } from "next/server";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { uiWords } from "@/components/ui/words";

/** Rendered for each request, because a prerendered page could not contain the nonce of its scripts. */
export default async function NotFoundPage() {
  await connection();
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-4 py-24">
      <h1 className="text-2xl">{uiWords.nothingHere}</h1>
      <p className="text-muted">{uiWords.nothingHereWhy}</p>
      <Link href="/" className={buttonClass()}>
        {uiWords.goHome}
      </Link>
    </main>
  );
}
