import {
  AlertTriangle,
  CheckCircle2,
  Clock,
  HelpCircle,
  ImageDown,
  LoaderCircle,
  type LucideIcon,
  PencilLine,
  XCircle,
} from "lucide-react";
import type { PublicationStatus, ScheduleStatus } from "../api/types";

type Look = { word: string; icon: LucideIcon; colour: string; turns?: boolean };

const neutral = "bg-sunk text-ink";
const busy = "bg-busy-soft text-busy";
const good = "bg-accent-soft text-accent";
const warn = "bg-warn-soft text-warn";
const wrong = "bg-wrong-soft text-wrong";

const looks: Record<ScheduleStatus | PublicationStatus | "LATE", Look> = {
  DRAFT: { word: "Draft", icon: PencilLine, colour: neutral },
  AWAITING_MEDIA: { word: "Fetching media", icon: ImageDown, colour: busy },
  SCHEDULED: { word: "Scheduled", icon: Clock, colour: neutral },
  LATE: { word: "Late", icon: AlertTriangle, colour: warn },
  MEDIA_IMPORT_FAILED: { word: "Media failed", icon: XCircle, colour: wrong },
  IN_PROGRESS: { word: "Publishing", icon: LoaderCircle, colour: busy, turns: true },
  COMPLETED: { word: "Published", icon: CheckCircle2, colour: good },
  PARTIALLY_COMPLETED: { word: "Partly published", icon: AlertTriangle, colour: warn },
  FAILED: { word: "Failed", icon: XCircle, colour: wrong },
  PENDING: { word: "Waiting", icon: Clock, colour: neutral },
  PUBLISHED: { word: "Published", icon: CheckCircle2, colour: good },
  UNKNOWN: { word: "Outcome unknown", icon: HelpCircle, colour: warn },
};

/** The words of a state. */
export function statusWord(of: keyof typeof looks): string {
  return looks[of].word;
}

/** A state by sign and colour; the word beside it is the caller's to give, seen or heard. */
export function StatusSign({ of }: { of: keyof typeof looks }) {
  const { icon: Icon, colour, turns } = looks[of];
  return (
    <span aria-hidden className={`inline-flex size-5 shrink-0 items-center justify-center rounded-full ${colour}`}>
      <Icon className={`size-3.5 ${turns ? "motion-safe:animate-spin" : ""}`} />
    </span>
  );
}

/** A state by sign, word and colour together. */
export function Status({ of }: { of: keyof typeof looks }) {
  const { word, icon: Icon, colour, turns } = looks[of];
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-1 font-medium text-sm ${colour}`}
    >
      <Icon aria-hidden className={`size-4 shrink-0 ${turns ? "motion-safe:animate-spin" : ""}`} />
      {word}
    </span>
  );
}
