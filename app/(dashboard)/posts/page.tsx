import type { Metadata } from "next";
import { networkFacts } from "@/components/networks/facts";
import { Schedules } from "@/components/posts/schedules";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-dashboard";

export const metadata: Metadata = { title: words.posts };

export default async function PostsPage() {
  await signedIn("/posts");
  const actions = (
    <div className="flex flex-wrap gap-3">
      <Link href="/posts/import" className={buttonClass("quiet")}>
        {words.importAction}
      </Link>
      <a href="/v1/posts/export" download className={buttonClass("quiet")}>
        {words.exportAction}
      </a>
      <Link href="/posts/duplicates" className={buttonClass("quiet")}>
        {words.findDuplicates}
      </Link>
      <Link href="/compose" className={buttonClass()}>
        {words.write}
      </Link>
    </div>
  );
  return (
    <>
      <PageHeading title={words.posts} lead={words.postsLead} action={actions} />
      <Schedules networks={networkFacts()} />
    </>
  );
}
