"use client";
import { useId } from "react";
import type { Slot } from "@/lib/time/weekly";
import type { Weekday } from "../api/slots";
import { useBodyForm } from "../api/use-body-form";
import { Button } from "../ui/button";
import { InputField } from "../ui/input-field";
import { withTime, workdays } from "./week";
import { WeekdayBoxes } from "./week-list";
import { queueWords } from "./words";

type Props = { timeZone: string; slots: Slot[]; onAdd: (days: Weekday[], time: string) => void };
type Values = { days: Weekday[]; time: string };

/** Adds one time on the ticked days. */
export function AddTime({ timeZone, slots, onAdd }: Props) {
  const id = useId();
  const { form, at, submit, refusal } = useBodyForm<Values>({
    defaultValues: { days: workdays, time: "" },
    fields: ["days", "time"],
    schema: async () => (await import("@/lib/api/bodies/queue")).QueueBody,
    bodyOf: ({ days, time }) => ({ timeZone, slots: withTime(slots, days, time) }),
    fieldOf: (path) => (path.startsWith("slots") ? "time" : undefined),
    lacksOf: (values) => lacksOf(slots, values),
    send: ({ days, time }) => {
      onAdd(days, time);
      form.reset({ days, time: "" });
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-labelledby={`${id}-title`} className="grid gap-4">
      <h2 id={`${id}-title`} className="font-semibold">
        {queueWords.addTime}
      </h2>
      <WeekdayBoxes at={at("days")} />
      <div className="flex flex-wrap items-start gap-3">
        <InputField label={queueWords.time} type="time" at={at("time")} />
        <Button type="submit" className="mt-6">
          {queueWords.add}
        </Button>
      </div>
      {refusal && (
        <p role="alert" className="text-wrong">
          {refusal}
        </p>
      )}
    </form>
  );
}

function lacksOf(slots: Slot[], { days, time }: Values) {
  if (time === "") return { time: queueWords.giveTime, ...(days.length === 0 && { days: queueWords.tickDay }) };
  if (days.length === 0) return { days: queueWords.tickDay };
  return withTime(slots, days, time).length === slots.length ? { time: queueWords.isThere } : {};
}
