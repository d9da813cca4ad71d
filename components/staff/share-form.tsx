import { FIELD, Hidden, Labelled } from "../developers/fields";
import { Button } from "../ui/button";
import { staffWords } from "./words";

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
