import { weekdays } from "@/lib/time/weekly";
import type { FieldAt } from "../api/use-body-form";
import { FieldError } from "../ui/input-field";
import { dayName } from "./week";
import { queueWords } from "./words";

/** Checkboxes for the weekdays. */
export function WeekdayBoxes({ at }: { at: FieldAt }) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">{queueWords.days}</legend>
      <div className="flex flex-wrap gap-x-5">
        {weekdays.map((day) => (
          <label key={day} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input type="checkbox" value={day} className="size-5 shrink-0 accent-accent" {...at.props} />
            {dayName(day)}
          </label>
        ))}
      </div>
      <FieldError {...at.error} />
    </fieldset>
  );
}
