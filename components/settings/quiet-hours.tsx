"use client";
import { type FormEvent, useId, useState } from "react";
import { type QuietHours as Hours, useNotifications, useSetNotifications } from "../api/settings";
import { ownZone, zoneName } from "../time/zone";
import { ZoneSelect } from "../time/zone-select";
import { Button } from "../ui/button";

const field = "min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base";

/** When notices wait; nothing is shown until it is known what holds now. */
export function QuietHours() {
  const { data } = useNotifications();
  if (!data) return null;
  const { quietHours, email } = data;
  return (
    <section aria-labelledby="quiet-hours" className="mt-8 grid gap-3">
      <h3 id="quiet-hours" className="font-semibold">
        Quiet hours
      </h3>
      <p className="text-muted text-sm">
        <span aria-live="polite">
          {quietHours
            ? `Quiet from ${quietHours.from} to ${quietHours.to}, ${zoneName(quietHours.timeZone)}.`
            : "None yet."}
        </span>{" "}
        What would come in them comes at their end; nothing is left out. A new password is never held back.
      </p>
      <Form key={JSON.stringify(quietHours ?? null)} kept={quietHours} email={email} />
    </section>
  );
}

type Props = { kept: Hours | undefined; email: { [kind: string]: boolean } };

function Form({ kept, email }: Props) {
  const id = useId();
  const [hours, setHours] = useState<Hours>(kept ?? { from: "22:00", to: "07:00", timeZone: ownZone() });
  const [problem, setProblem] = useState("");
  const set = useSetNotifications();
  const change = (changed: Partial<Hours>) => setHours({ ...hours, ...changed });

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemOf(hours);
    setProblem(found);
    if (!found && !set.isPending) set.mutate({ email, quietHours: hours });
  }
  return (
    <form onSubmit={submit} noValidate aria-labelledby="quiet-hours" className="grid gap-3">
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <label className="grid gap-1 font-medium text-sm">
          From
          <input
            type="time"
            value={hours.from}
            aria-invalid={problem !== ""}
            onChange={({ target }) => change({ from: target.value })}
            className={field}
          />
        </label>
        <label className="grid gap-1 font-medium text-sm">
          To
          <input
            type="time"
            value={hours.to}
            aria-invalid={problem !== ""}
            onChange={({ target }) => change({ to: target.value })}
            className={field}
          />
        </label>
        <div className="grid min-w-0 gap-1">
          <label htmlFor={`${id}-zone`} className="font-medium text-sm">
            Time zone
          </label>
          <ZoneSelect id={`${id}-zone`} value={hours.timeZone} onChange={(timeZone) => change({ timeZone })} />
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="quiet" aria-disabled={set.isPending}>
          {kept ? "Keep these" : "Begin quiet hours"}
        </Button>
        {kept && (
          <Button
            look="quiet"
            aria-disabled={set.isPending}
            onClick={() => set.isPending || set.mutate({ email, quietHours: null })}
          >
            End quiet hours
          </Button>
        )}
      </div>
      {(problem || set.isError) && (
        <p role="alert" className="text-wrong">
          {problem || `Not kept: ${set.error?.message}`}
        </p>
      )}
    </form>
  );
}

function problemOf({ from, to }: Hours): string {
  if (from === "" || to === "") return "Give both times.";
  return from === to ? "They begin and end at the same time." : "";
}
