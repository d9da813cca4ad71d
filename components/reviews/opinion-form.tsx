import { MOST_NAME, MOST_TEXT } from "@/lib/reviews";
import { FIELD, Hidden, Labelled } from "../developers/fields";
import { Button } from "../ui/button";
import { reviewWords } from "./words";

type Props = {
  link: string;
  /** Of the content as it stands above: what is said is said of that. */
  digest: string;
};

/** Takes what somebody with a link thinks of the post. It needs no script and no account. */
export function OpinionForm({ link, digest }: Props) {
  return (
    <form method="post" action="/reviews" className="grid gap-4">
      <Hidden values={{ link, shown: digest }} />
      <Labelled label={reviewWords.page.yourName}>
        <input name="name" required maxLength={MOST_NAME} autoComplete="name" className={FIELD} />
      </Labelled>
      <Labelled label={reviewWords.page.yourComment} hint={reviewWords.page.mayBeEmpty}>
        <textarea name="text" maxLength={MOST_TEXT} rows={4} className={`${FIELD} py-2`} />
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
