"use client";
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { useBodyForm } from "../api/use-body-form";
import { WeekdayBoxes } from "../queue/week-list";
import { ZoneField } from "../time/zone-field";
import { Button } from "../ui/button";
import { InputField } from "../ui/input-field";
import type { RepeatDraft } from "./repeat-input";
import { repeatWords } from "./words";

type Props = {
  writing: ReturnType<typeof useBodyForm<RepeatDraft>>;
  /** The initial zone. */
  zone: string;
  change: () => void;
};

const choice =
  "flex min-h-12 flex-1 basis-36 cursor-pointer items-center gap-3 rounded-xl border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft";

/** The days, the time and the end of a repetition. */
export function RepeatForm({ writing: { form, at, submit, refusal }, zone, change }: Props) {
  const [every, ends, dayOfMonth] = form.watch(["every", "ends", "dayOfMonth"]);
  return (
    <form onSubmit={submit} onChange={change} noValidate className="grid gap-6">
      <Group legend={repeatWords.howOften}>
        <Choice form={form} name="every" value="DAY" label={repeatWords.everyDay} />
        <Choice form={form} name="every" value="WEEK" label={repeatWords.everyWeek} />
        <Choice form={form} name="every" value="MONTH" label={repeatWords.everyMonth} />
      </Group>
      {every === "WEEK" && <WeekdayBoxes at={at("weekdays")} />}
      {every === "MONTH" && (
        <InputField
          label={repeatWords.dayOfMonth}
          type="number"
          min={1}
          max={31}
          at={at("dayOfMonth", { valueAsNumber: true })}
          className="w-24"
        >
          {dayOfMonth > 28 && <span className="font-normal text-muted">{repeatWords.shorterMonths}</span>}
        </InputField>
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <InputField label={repeatWords.time} type="time" at={at("time")} />
        <ZoneField label={repeatWords.timeZone} known={zone} at={at("timeZone")} />
      </div>
      <Group legend={repeatWords.until}>
        <Choice form={form} name="ends" value="count" label={repeatWords.aNumber} />
        <Choice form={form} name="ends" value="until" label={repeatWords.aLastDay} />
      </Group>
      {ends === "count" ? (
        <InputField
          key="count"
          label={repeatWords.times}
          type="number"
          min={1}
          max={100}
          at={at("count", { valueAsNumber: true })}
          className="w-24"
        />
      ) : (
        <InputField key="until" label={repeatWords.lastDay} type="date" at={at("until")} />
      )}
      {refusal && (
        <p role="alert" className="text-wrong">
          {refusal}
        </p>
      )}
      <Button type="submit" look="quiet" className="justify-self-start">
        {repeatWords.showDates}
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

type ChoiceProps = { form: UseFormReturn<RepeatDraft>; name: "every" | "ends"; value: string; label: string };

function Choice({ form, name, value, label }: ChoiceProps) {
  return (
    <label className={choice}>
      <input type="radio" value={value} {...form.register(name)} className="size-5 accent-(--accent)" /> {label}
    </label>
  );
}
