import { MessageSquareWarning } from "lucide-react";
import type { Schedule } from "../api/types";
import { postWords } from "../posts/words";

/** Stands on a post that somebody wants changed, until that is closed; on a chip of the calendar as a sign alone. */
export function ChangesMark({ schedule, isSmall = false }: { schedule: Schedule; isSmall?: boolean }) {
  if (!schedule.changesRequested) return null;
  if (isSmall) {
    return (
      <span className="inline-flex shrink-0 text-warn">
        <MessageSquareWarning aria-hidden className="size-4" />
        <span className="sr-only">{postWords.changesMark.askedThen}</span>
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap rounded-full bg-warn-soft px-2.5 py-1 font-medium text-sm text-warn">
      <MessageSquareWarning aria-hidden className="size-4 shrink-0" />
      {postWords.changesMark.asked}
    </span>
  );
}
