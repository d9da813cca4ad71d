import type { Metadata } from "next";
import { networkFacts } from "@/components/networks/facts";
import { Schedules } from "@/components/posts/schedules";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Posts" };

export default async function PostsPage() {
  await signedIn("/posts");
  const actions = (
    <div className="flex flex-wrap gap-3">
      <Link href="/posts/import" className={buttonClass("quiet")}>
        Import
      </Link>
      <a href="/v1/posts/export" download className={buttonClass("quiet")}>
        Export
      </a>
      <Link href="/posts/duplicates" className={buttonClass("quiet")}>
        Find duplicates
      </Link>
      <Link href="/compose" className={buttonClass()}>
        Write a post
      </Link>
    </div>
  );
  return (
    <>
      <PageHeading title="Posts" lead="Newest first. What is being sent changes here by itself." action={actions} />
      <Schedules networks={networkFacts()} />
    </>
  );
}
