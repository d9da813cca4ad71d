"use client";
import { type FormEvent, useId } from "react";
import type { Webhook, WebhookWish } from "../api/webhooks";
import { Button } from "../ui/button";

type Props = {
  eventTypes: readonly string[];
  webhook?: Webhook;
  action: string;
  isBusy: boolean;
  error?: string;
  onSubmit: (wish: WebhookWish) => void;
};

const input = "mt-1 min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2";

/** Where to, and what of. What is wrong with it the API says, in its own words. */
export function WebhookForm({ eventTypes, webhook, action, isBusy, error, onSubmit }: Props) {
  const id = useId();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const description = text("description");
    onSubmit({ url: text("url"), events: form.getAll("events").map(String), ...(description && { description }) });
  }
  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      <label className="block font-medium">
        Address
        <input
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/carillon"
          defaultValue={webhook?.url}
          className={input}
          aria-describedby={error ? `${id}-error` : undefined}
        />
      </label>
      <label className="block font-medium">
        Description <span className="font-normal text-muted">(optional)</span>
        <input name="description" maxLength={500} defaultValue={webhook?.description} className={input} />
      </label>
      <fieldset>
        <legend className="mb-2 font-medium">Events</legend>
        <div className="grid gap-x-6 sm:grid-cols-2">
          {eventTypes.map((type) => (
            <label key={type} className="flex min-h-9 items-center gap-3">
              <input
                type="checkbox"
                name="events"
                value={type}
                defaultChecked={webhook ? webhook.events.includes(type) : true}
                className="size-5 shrink-0 accent-accent"
              />
              <code className="text-sm">{type}</code>
            </label>
          ))}
        </div>
      </fieldset>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-wrong">
          {error}
        </p>
      )}
      <Button type="submit" aria-disabled={isBusy} className="justify-self-start">
        {isBusy ? "One moment…" : action}
      </Button>
    </form>
  );
}
