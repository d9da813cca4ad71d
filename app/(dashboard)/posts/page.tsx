import type { Metadata } from "next";
import { networkFacts } from "@/components/networks/facts";
import { PostsTable } from "@/components/posts/posts-table";
import { postWords } from "@/components/posts/words";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: postWords.page.posts };

export default async function PostsPage() {
  await signedIn("/posts");
  const actions = (
    <div className="flex flex-wrap gap-3">
      <Link href="/posts/import" className={buttonClass("quiet")}>
        {postWords.page.importAction}
      </Link>
      <a href="/v1/posts/export" download className={buttonClass("quiet")}>
        {postWords.page.exportAction}
      </a>
      <Link href="/posts/duplicates" className={buttonClass("quiet")}>
        {postWords.page.findDuplicates}
      </Link>
    </div>
  );
  return (
    <>
      <PageHeading title={postWords.page.posts} action={actions} />
      <PostsTable networks={networkFacts()} />
    </>
  );
}
