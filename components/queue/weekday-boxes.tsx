import { weekdays } from "@/lib/slots";
import type { Weekday } from "../api/slots";
import { dayName } from "./week";

type Props = { chosen: Weekday[]; onChange: (chosen: Weekday[]) => void };

/** Any of the days of a week. */
export function WeekdayBoxes({ chosen, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">Days</legend>
      <div className="flex flex-wrap gap-x-5">
        {weekdays.map((day) => (
          <label key={day} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              checked={chosen.includes(day)}
              onChange={({ target }) =>
                onChange(weekdays.filter((one) => (one === day ? target.checked : chosen.includes(one))))
              }
              className="size-5 shrink-0 accent-accent"
            />
            {dayName(day)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
