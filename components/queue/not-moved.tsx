import type { NotMoved } from "../api/move-all";
import { textsOf } from "../posts/facts";
import { dateAndTime } from "../time/format";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { queueWords } from "./words";

const MOST = 20;

/** The posts that stay where they were although they were to be moved, and why. */
export function NotMovedList({ notMoved }: { notMoved: NotMoved[] }) {
  if (notMoved.length === 0) return null;
  return (
    <Notice tone="wrong">
      <p>{says(notMoved)}</p>
      <ul className="mt-1 grid list-disc gap-1 pl-5">
        {notMoved.slice(0, MOST).map(({ schedule, why }) => (
          <li key={schedule.id}>
            <WhyNot schedule={schedule} why={why} />
          </li>
        ))}
      </ul>
      {notMoved.length > MOST && <p className="mt-1">{queueWords.zone.more(notMoved.length - MOST)}</p>}
    </Notice>
  );
}

function WhyNot({ schedule, why }: Pick<NotMoved, "schedule" | "why">) {
  const post = (
    <Link href={`/posts/${schedule.id}`} className="underline">
      {textsOf(schedule)[0]?.slice(0, 60) ?? queueWords.zone.noText}
    </Link>
  );
  if (!schedule.scheduledTime) return <Sentence text={queueWords.zone.whyNot} parts={{ post, why }} />;
  const time = dateAndTime(new Date(schedule.scheduledTime));
  return <Sentence text={queueWords.zone.whyNotAt} parts={{ post, time, why }} />;
}

function says(notMoved: NotMoved[]): string {
  const unknown = notMoved.filter(({ isUnknown }) => isUnknown).length;
  const stayed = notMoved.length - unknown;
  if (stayed === 0) return queueWords.zone.nobodyKnows(unknown);
  return unknown === 0 ? queueWords.zone.notMoved(stayed) : queueWords.zone.notMovedOrUnknown(stayed, unknown);
}
