import { acceptsFeedback, MAX_FEEDBACK_NAME_LENGTH, MAX_FEEDBACK_TEXT_LENGTH, type Review } from "@/lib/reviews";
import { utc } from "../console/table";
import { FIELD, Hidden, Labelled } from "../developers/fields";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { reviewWords } from "./words";

type Props = {
  review: Review;
  link: string;
  /** The form was just submitted. */
  isThanked: boolean;
};

/** The feedback given through this link, with answers and a form. */
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
      {acceptsFeedback(shown.status) ? (
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

type OpinionFormProps = {
  link: string;
  /** The digest of the shown content, which the feedback refers to. */
  digest: string;
};

/** A feedback form for reviewers, without script or account. */
function OpinionForm({ link, digest }: OpinionFormProps) {
  return (
    <form method="post" action="/reviews" className="grid gap-4">
      <Hidden values={{ link, shown: digest }} />
      <Labelled label={reviewWords.page.yourName}>
        <input name="name" required maxLength={MAX_FEEDBACK_NAME_LENGTH} autoComplete="name" className={FIELD} />
      </Labelled>
      <Labelled label={reviewWords.page.yourComment} hint={reviewWords.page.mayBeEmpty}>
        <textarea name="text" maxLength={MAX_FEEDBACK_TEXT_LENGTH} rows={4} className={`${FIELD} py-2`} />
      </Labelled>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" name="verdict" value="APPROVED">
          {reviewWords.page.approve}
        </Button>
        <Button type="submit" name="verdict" value="CHANGES_REQUESTED" look="quiet">
          {reviewWords.page.askForChanges}
        </Button>
        <Button type="submit" name="verdict" value="" look="quiet">
          {reviewWords.page.onlyComment}
        </Button>
      </div>
      <p className="text-muted text-sm">{reviewWords.page.seenAtOnce}</p>
    </form>
  );
}
