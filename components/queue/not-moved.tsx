import type { NotMoved } from "../api/move-all";
import { textsOf } from "../posts/facts";
import { dateAndTime } from "../time/format";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { notMovedWords } from "./zone-words";

const MOST = 20;

/** The posts that stay where they were although they were to be moved, and why. */
export function NotMovedList({ notMoved }: { notMoved: NotMoved[] }) {
  if (notMoved.length === 0) return null;
  return (
    <Notice tone="wrong">
      <p>{notMovedWords(notMoved)}</p>
      <ul className="mt-1 grid list-disc gap-1 pl-5">
        {notMoved.slice(0, MOST).map(({ schedule, why }) => (
          <li key={schedule.id}>
            <Link href={`/posts/${schedule.id}`} className="underline">
              {textsOf(schedule)[0]?.slice(0, 60) ?? "No text"}
            </Link>
            {schedule.scheduledTime && `, ${dateAndTime(new Date(schedule.scheduledTime))}`}: {why}
          </li>
        ))}
      </ul>
      {notMoved.length > MOST && <p className="mt-1">And {notMoved.length - MOST} more.</p>}
    </Notice>
  );
}
