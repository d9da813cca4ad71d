import { connection } from "next/server";
import { buttonClass } from "@/components/ui/button";
import { LonePage } from "@/components/ui/card";
import { Mark } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { uiWords } from "@/components/ui/words";

/** Rendered for each request, because a prerendered page could not contain the nonce of its scripts. */
export default async function NotFoundPage() {
  await connection();
  const brand = (
    <>
      <span className="text-accent">
        <Mark />
      </span>
      {uiWords.brand}
    </>
  );
  return (
    <LonePage brand={brand} title={uiWords.nothingHere} text={uiWords.nothingHereWhy}>
      <Link href="/" className={buttonClass()}>
        {uiWords.goHome}
      </Link>
    </LonePage>
  );
}
