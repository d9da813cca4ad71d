import type { StaffScheduleView } from "@/lib/staff";
import { FIELD, Hidden, Labelled } from "../developers/fields";
import { publicationState } from "../posts/facts";
import { postWords } from "../posts/words";
import { utcToSecond } from "../time/format";
import { Button } from "../ui/button";
import { scheduleWord } from "./lists";
import { staffWords } from "./words";

type Publication = StaffScheduleView["receipt"]["publications"][number];

/** The attempts at each publication, with the network's responses. */
export function ReceiptList({ shown, receipt: { publications } }: Pick<StaffScheduleView, "shown" | "receipt">) {
  return (
    <ul className="grid gap-3">
      {publications.map((publication) => (
        <li key={publication.id} className="grid gap-3 rounded-2xl border border-line bg-surface p-5">
          <h3 className="font-semibold">
            {staffWords.schedulePage.publication(
              publication.id,
              scheduleWord(publicationState(publication, shown.status)),
            )}
          </h3>
          {publication.attemptLog.length === 0 && <p className="text-muted">{staffWords.schedulePage.nothingTried}</p>}
          <Attempts attemptLog={publication.attemptLog} />
          {publication.dueAt && (
            <p className="text-sm">{staffWords.schedulePage.nextLook(utcToSecond(publication.dueAt))}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Attempts({ attemptLog }: Pick<Publication, "attemptLog">) {
  return (
    <ol className="grid gap-3">
      {attemptLog.map(({ id, outcome, message, endedAt, times, answer }) => (
        <li key={id} className="border-line border-l-2 pl-3 text-sm">
          <p>
            <span className="text-muted">{utcToSecond(endedAt)}</span>{" "}
            <span className="font-medium">{postWords.receipt.outcomes[outcome]}</span>
            {times > 1 && <span className="text-muted"> · {postWords.receipt.times(times)}</span>}
          </p>
          <p>{message}</p>
          {answer && (
            <p className="wrap-anywhere font-mono text-muted text-xs">
              {answer.status === 0 ? postWords.receipt.noAnswer : postWords.receipt.status(answer.status)}
              {answer.code && ` · ${answer.code}`}
              {answer.message && ` · ${answer.message}`}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Creates a preview link for people without an account. */
export function ShareForm({ schedule, days }: { schedule: number; days: readonly number[] }) {
  return (
    <form method="post" action="/staff/share" className="flex flex-wrap items-end gap-3">
      <Hidden values={{ schedule: String(schedule) }} />
      <div className="basis-40">
        <Labelled label={staffWords.schedulePage.worksFor}>
          <select name="days" defaultValue="7" className={FIELD}>
            {days.map((count) => (
              <option key={count} value={count}>
                {staffWords.schedulePage.days(count)}
              </option>
            ))}
          </select>
        </Labelled>
      </div>
      <Button type="submit" look="quiet">
        {staffWords.schedulePage.makeLink}
      </Button>
    </form>
  );
}
