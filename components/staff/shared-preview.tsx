import type { ShownPublication, ShownSchedule } from "@/lib/staff";
import { utc } from "../console/when";
import { NetworkBadge } from "../networks/badge";
import { Preview } from "../previews/preview";
import { Notice } from "../ui/notice";
import { previewOfShown } from "./preview-of-shown";

/** A schedule as its networks will show it, for somebody without an account; of its owner nothing but the names of the accounts. */
export function SharedPreview({ shown, endsAt }: { shown: ShownSchedule; endsAt: Date }) {
  const { scheduledTime, publications } = shown;
  return (
    <main className="mx-auto grid max-w-2xl gap-6 px-4 py-10">
      <header>
        <h1 className="font-semibold text-2xl tracking-tight">Preview of a post</h1>
        <p className="mt-1 text-muted">
          {scheduledTime ? `Planned for ${utc(scheduledTime)}.` : "Not planned yet."} This link works until{" "}
          {utc(endsAt.toISOString())}.
        </p>
      </header>
      {publications.map((publication) => (
        <SharedPublication key={publication.id} publication={publication} />
      ))}
      {publications.length === 0 && <p className="text-muted">It is for no account yet.</p>}
    </main>
  );
}

function SharedPublication({ publication }: { publication: ShownPublication }) {
  const { platform, network, account, posts } = publication;
  const missing = posts.reduce((sum, post) => sum + post.missing.length, 0);
  return (
    <section aria-label={`${network}, ${account}`} className="grid gap-4 rounded-2xl border border-line bg-surface p-5">
      <h2 className="flex items-center gap-3 font-semibold">
        <NetworkBadge platform={platform} />
        <span className="wrap-anywhere min-w-0">
          {account} <span className="font-normal text-muted">on {network}</span>
        </span>
      </h2>
      <div className="max-w-md">
        <Preview preview={previewOfShown(publication)} />
      </div>
      {missing > 0 && <p className="text-muted text-sm">{missing} of its files cannot be shown yet.</p>}
      {posts.map(
        ({ id, problem }) =>
          problem && (
            <Notice key={id} tone="warn">
              As it is, it would not go out: {problem}
            </Notice>
          ),
      )}
    </section>
  );
}
