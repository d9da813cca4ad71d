import { type Review, takesFeedback } from "@/lib/reviews";
import { utc } from "../console/format";
import { Notice } from "../ui/notice";
import { OpinionForm } from "./opinion-form";
import { reviewWords } from "./words";

type Props = {
  review: Review;
  link: string;
  /** Something was just said by the form below. */
  isThanked: boolean;
};

/** What was said by this link so far, what was answered, and the form to say more. */
export function Opinions({ review, link, isThanked }: Props) {
  const { said, digest, shown } = review;
  return (
    <section
      id="feedback"
      aria-labelledby="what-you-think"
      className="grid gap-4 rounded-2xl border border-line bg-surface p-5"
    >
      <h2 id="what-you-think" className="font-semibold text-lg">
        {reviewWords.page.whatYouThink}
      </h2>
      {isThanked && <Notice tone="good">{reviewWords.page.thanks}</Notice>}
      {said.length > 0 && (
        <ol className="grid gap-4">
          {said.map((item) => (
            <Opinion key={item.id} item={item} isCurrent={item.contentDigest.equals(digest)} />
          ))}
        </ol>
      )}
      {takesFeedback(shown.status) ? (
        <OpinionForm link={link} digest={digest.toString("hex")} />
      ) : (
        <p className="text-muted">{reviewWords.page.isOut}</p>
      )}
    </section>
  );
}

function Opinion({ item, isCurrent }: { item: Review["said"][number]; isCurrent: boolean }) {
  const { name, verdict, text, createdAt, answer } = item;
  return (
    <li className="wrap-anywhere grid gap-1 border-line border-l-2 pl-3">
      <p className="text-sm">
        <span className="font-medium">{name}</span>
        {verdict && <span className="font-medium">{reviewWords.verdict(reviewWords.verdicts[verdict])}</span>}{" "}
        <span className="text-muted">{utc(createdAt)}</span>
      </p>
      {text && <p className="whitespace-pre-line">{text}</p>}
      {!isCurrent && <p className="text-muted text-sm">{reviewWords.page.hasChanged}</p>}
      {answer !== null && (
        <div className="mt-1 rounded-lg bg-sunk p-3">
          <p className="font-medium text-sm">{reviewWords.page.answer}</p>
          <p className="whitespace-pre-line">{answer}</p>
        </div>
      )}
    </li>
  );
}
