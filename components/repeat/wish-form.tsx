"use client";
import type { ReactNode } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { useBodyForm } from "../api/use-body-form";
import { WeekdayBoxes } from "../queue/weekday-boxes";
import { ZoneField } from "../time/zone-field";
import { Button } from "../ui/button";
import { InputField } from "../ui/input-field";
import * as words from "../words/repeat";
import type { Draft } from "./wish";

type Props = {
  writing: ReturnType<typeof useBodyForm<Draft>>;
  /** That stood in it first. */
  zone: string;
  change: () => void;
};

const choice =
  "flex min-h-12 flex-1 basis-36 cursor-pointer items-center gap-3 rounded-xl border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft";

/** On which days, at what time, until when. */
export function WishForm({ writing: { form, at, submit, refusal }, zone, change }: Props) {
  const [every, ends, dayOfMonth] = useWatch({ control: form.control, name: ["every", "ends", "dayOfMonth"] });
  return (
    <form onSubmit={submit} onChange={change} noValidate className="grid gap-6">
      <Group legend={words.howOften}>
        <Choice form={form} name="every" value="DAY" label={words.everyDay} />
        <Choice form={form} name="every" value="WEEK" label={words.everyWeek} />
        <Choice form={form} name="every" value="MONTH" label={words.everyMonth} />
      </Group>
      {every === "WEEK" && <WeekdayBoxes at={at("weekdays")} />}
      {every === "MONTH" && (
        <InputField
          label={words.dayOfMonth}
          type="number"
          min={1}
          max={31}
          at={at("dayOfMonth", { valueAsNumber: true })}
          className="w-24"
        >
          {dayOfMonth > 28 && <span className="font-normal text-muted">{words.shorterMonths}</span>}
        </InputField>
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <InputField label={words.time} type="time" at={at("time")} />
        <ZoneField label={words.timeZone} known={zone} at={at("timeZone")} />
      </div>
      <Group legend={words.until}>
        <Choice form={form} name="ends" value="count" label={words.aNumber} />
        <Choice form={form} name="ends" value="until" label={words.aLastDay} />
      </Group>
      {ends === "count" ? (
        <InputField
          key="count"
          label={words.times}
          type="number"
          min={1}
          max={100}
          at={at("count", { valueAsNumber: true })}
          className="w-24"
        />
      ) : (
        <InputField key="until" label={words.lastDay} type="date" at={at("until")} />
      )}
      {refusal && (
        <p role="alert" className="text-wrong">
          {refusal}
        </p>
      )}
      <Button type="submit" look="quiet" className="justify-self-start">
        {words.showDates}
      </Button>
    </form>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  );
}

type ChoiceProps = { form: UseFormReturn<Draft>; name: "every" | "ends"; value: string; label: string };

function Choice({ form, name, value, label }: ChoiceProps) {
  return (
    <label className={choice}>
      <input type="radio" value={value} {...form.register(name)} className="size-5 accent-(--accent)" /> {label}
    </label>
  );
}
