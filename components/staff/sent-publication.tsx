import type { ReviewPost, ReviewPublication } from "@/lib/reviews";
import { ShownPreview } from "../reviews/shown-preview";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { staffWords } from "./words";

type Props = { publication: ReviewPublication; scheduledTime: string | undefined };

/** One account's publication with its preview, and the requests that are sent for each post. */
export function SentPublication({ publication, scheduledTime }: Props) {
  return (
    <ShownPreview publication={publication} scheduledTime={scheduledTime} level="h3">
      {publication.posts.map((post) => (
        <Post key={post.id} post={post} />
      ))}
    </ShownPreview>
  );
}

function Post({ post: { missing, chatId, permalink, problem, requests } }: { post: ReviewPost }) {
  return (
    <div className="grid gap-3 border-line border-t pt-4">
      {missing.length > 0 && (
        <p className="break-all text-muted text-sm">{staffWords.schedulePage.missing(missing.join(", "))}</p>
      )}
      {chatId && (
        <p className="text-muted text-sm">
          <Sentence text={staffWords.schedulePage.goesTo} parts={{ destination: <code>{chatId}</code> }} />
        </p>
      )}
      {problem && <Notice tone="warn">{staffWords.schedulePage.wouldFail(problem)}</Notice>}
      {permalink && (
        <a href={permalink} rel="noreferrer" className="break-all text-accent underline">
          {permalink}
        </a>
      )}
      {requests.length > 0 && <Requests requests={requests} />}
    </div>
  );
}

function Requests({ requests }: Pick<ReviewPost, "requests">) {
  return (
    <details>
      <summary className="min-h-8 content-center text-muted text-sm">
        {staffWords.schedulePage.sent(requests.length)}
      </summary>
      <ol className="mt-2 grid gap-3">
        {requests.map(({ method, url, isFinal, body }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two calls may be equal
          <li key={index} className="grid gap-1 text-sm">
            <code className="break-all">
              <span className="font-semibold">{method}</span> {url}
            </code>
            {isFinal && <span className="text-muted">{staffWords.schedulePage.makesPublic}</span>}
            {body && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
              <pre tabIndex={0} className="max-h-60 overflow-auto rounded-lg bg-sunk p-3 text-xs">
                {body}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
