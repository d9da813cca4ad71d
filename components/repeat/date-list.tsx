import { type ApiRepeatReport, notesOn, offsetWords, whenWords } from "./dates";
import { repeatWords } from "./words";

type Props = { report: ApiRepeatReport; time: string; leaveOut: string[]; onChange: (leaveOut: string[]) => void };

/** The dates with notes; an unticked date is left out. */
export function DateList({ report, time, leaveOut, onChange }: Props) {
  return (
    <ul aria-label={repeatWords.dates} className="divide-y divide-line rounded-2xl border border-line bg-surface">
      {report.dates.map((one, index) => {
        const isKept = !leaveOut.includes(one.date);
        const notes = isKept ? notesOn(one, report.dates[index - 1], time) : [repeatWords.leftOut];
        const id = `date-${one.date}`;
        return (
          <li key={one.date} className="px-4 py-2">
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                checked={isKept}
                aria-describedby={notes.length > 0 ? id : undefined}
                onChange={() =>
                  onChange(isKept ? [...leaveOut, one.date] : leaveOut.filter((date) => date !== one.date))
                }
                className="size-5 shrink-0 accent-accent"
              />
              <span className={isKept ? "" : "text-muted line-through"}>
                <span className="font-medium">{whenWords(one)}</span>{" "}
                <span className="text-muted text-sm">{offsetWords(one)}</span>
              </span>
            </label>
            {notes.length > 0 && (
              <div id={id} className="grid gap-0.5 pb-2 pl-8 text-sm text-warn">
                {notes.map((note) => (
                  <p key={note} className={isKept ? "" : "text-muted"}>
                    {note}
                  </p>
                ))}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
