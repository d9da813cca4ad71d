import type { Metadata } from "next";
import { networkFacts } from "@/components/networks/facts";
import { PostsTable } from "@/components/posts/posts-table";
import { postWords } from "@/components/posts/words";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: postWords.page.posts };

export default async function PostsPage() {
  await signedIn("/posts");
  const button = buttonClass("quiet", "px-3! text-sm md:min-h-9! md:py-1!");
  return (
    <>
      <header className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-2xl">{postWords.page.posts}</h1>
        <div className="flex flex-wrap gap-2">
          <Link href="/posts/import" className={button}>
            {postWords.page.importAction}
          </Link>
          <a href="/v1/posts/export" download className={button}>
            {postWords.page.exportAction}
          </a>
          <Link href="/posts/duplicates" className={button}>
            {postWords.page.findDuplicates}
          </Link>
        </div>
      </header>
      <PostsTable networks={networkFacts()} />
    </>
  );
}
