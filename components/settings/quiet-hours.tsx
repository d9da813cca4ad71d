"use client";
import type { Problem } from "@/lib/errors";
import {
  type ApiQuietHours as Hours,
  type NoticeChoices,
  type Notifications,
  useNotifications,
  useSetNotifications,
} from "../api/settings";
import { useBodyForm } from "../api/use-body-form";
import { ownZone, zoneName } from "../time/zone";
import { ZoneField } from "../time/zone-field";
import { Button } from "../ui/button";
import { InputField } from "../ui/input-field";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { settingsWords } from "./words";

export function QuietHoursForm({ initial }: { initial: Notifications }) {
  const { quietHours, email } = useNotifications(initial);
  const isHydrated = useIsHydrated();
  return (
    <section aria-labelledby="quiet-hours" className="mt-4 grid gap-3">
      <h3 id="quiet-hours" className="font-semibold">
        {settingsWords.quietHours}
      </h3>
      <p className="text-muted text-sm">
        <span aria-live="polite">
          {quietHours
            ? settingsWords.quietFromTo(quietHours.from, quietHours.to, zoneName(quietHours.timeZone))
            : settingsWords.noneYet}
        </span>{" "}
        {settingsWords.quietMeans}
      </p>
      <Form
        key={`${isHydrated} ${JSON.stringify(quietHours ?? null)}`}
        kept={quietHours}
        email={email}
        isReady={isHydrated}
      />
    </section>
  );
}

type Values = { quietHours: Hours };
type Props = { kept: Hours | undefined; email: NoticeChoices; isReady: boolean };

function Form({ kept, email, isReady }: Props) {
  const set = useSetNotifications();
  const quietHours = kept ?? { from: "22:00", to: "07:00", timeZone: isReady ? ownZone() : "UTC" };
  const bodyOf = (values: Values) => ({ email, ...values });
  const { at, submit, instead, isBusy, refusal } = useBodyForm({
    defaultValues: { quietHours },
    fields: ["quietHours.from", "quietHours.to", "quietHours.timeZone"],
    schema: async () => (await import("@/lib/api/bodies/notifications")).NotificationsBody,
    bodyOf,
    says,
    send: (values) => set.mutateAsync(bodyOf(values)),
  });
  const isOff = isBusy || set.isPending;
  return (
    <form onSubmit={submit} noValidate aria-labelledby="quiet-hours">
      <fieldset disabled={!isReady} className="grid gap-3">
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <InputField label={settingsWords.from} type="time" at={at("quietHours.from")} />
          <InputField label={settingsWords.to} type="time" at={at("quietHours.to")} />
          <ZoneField label={settingsWords.timeZone} known={quietHours.timeZone} at={at("quietHours.timeZone")} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="quiet" aria-disabled={isOff}>
            {kept ? settingsWords.keepThese : settingsWords.begin}
          </Button>
          {kept && (
            <Button
              look="quiet"
              aria-disabled={isOff}
              onClick={() => instead(() => set.mutateAsync({ email, quietHours: null }))}
            >
              {settingsWords.end}
            </Button>
          )}
        </div>
        {refusal && (
          <p role="alert" className="text-wrong">
            {settingsWords.notKept(refusal)}
          </p>
        )}
      </fieldset>
    </form>
  );
}

function says({ path }: Problem, { quietHours: { from, to } }: Values): string | undefined {
  if (path === "quietHours.timeZone") return undefined;
  return from !== "" && from === to ? settingsWords.sameTime : settingsWords.giveTime;
}
