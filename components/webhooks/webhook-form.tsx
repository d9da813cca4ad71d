"use client";
import { useBodyForm } from "../api/use-body-form";
import type { ApiWebhook, WebhookInput } from "../api/webhooks";
import { Button } from "../ui/button";
import { FieldError } from "../ui/input-field";
import { Sentence } from "../ui/sentence";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { webhookWords } from "./words";

type EventType = ApiWebhook["events"][number];
type Props = {
  eventTypes: readonly EventType[];
  webhook?: WebhookInput;
  action: string;
  send: (requested: WebhookInput) => Promise<unknown>;
  /** Called on any change. */
  changed?: () => void;
};

const input = "mt-1 min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2";

/** A webhook's address and events. */
export function WebhookForm({ eventTypes, webhook, action, send, changed }: Props) {
  const { url = "", description = "", events = [...eventTypes] } = webhook ?? {};
  const { at, submit, isBusy, refusal } = useBodyForm({
    defaultValues: { url, description, events },
    fields: ["url", "description", "events"],
    schema: async () => (await import("@/lib/api/bodies/webhook")).WebhookBody,
    bodyOf: wishOf,
    lacksOf: ({ url, events }) => ({
      ...(url.trim() === "" && { url: webhookWords.giveAddress }),
      ...(events.length === 0 && { events: webhookWords.chooseEvent }),
    }),
    send: (values) => send(wishOf(values)),
  });
  const address = at("url");
  const about = at("description");
  const kinds = at("events");
  const isHydrated = useIsHydrated(); // what is entered before would be lost
  return (
    <form onSubmit={submit} onChange={changed} className="grid gap-5" noValidate>
      <fieldset disabled={!isHydrated} className="contents">
        <div className="grid gap-1">
          <label className="block font-medium">
            {webhookWords.address}
            <input
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://example.com/carillon"
              defaultValue={url}
              className={input}
              {...address.props}
            />
          </label>
          <FieldError {...address.error} />
        </div>
        <div className="grid gap-1">
          <label className="block font-medium">
            <Sentence
              text={webhookWords.description}
              parts={{ optional: <span className="font-normal text-muted">{webhookWords.optional}</span> }}
            />
            <input maxLength={500} defaultValue={description} className={input} {...about.props} />
          </label>
          <FieldError {...about.error} />
        </div>
        <fieldset>
          <legend className="mb-2 font-medium">{webhookWords.events}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-6">
            {eventTypes.map((type) => (
              <label key={type} className="flex min-h-9 items-center gap-3">
                <input
                  type="checkbox"
                  value={type}
                  defaultChecked={events.includes(type)}
                  className="size-5 shrink-0 accent-accent"
                  {...kinds.props}
                />
                <code className="text-[0.8125rem]">{type}</code>
              </label>
            ))}
          </div>
          <FieldError {...kinds.error} />
        </fieldset>
        {refusal && (
          <p role="alert" className="text-wrong">
            {refusal}
          </p>
        )}
        <Button type="submit" aria-disabled={isBusy} className="justify-self-start">
          {isBusy ? webhookWords.oneMoment : action}
        </Button>
      </fieldset>
    </form>
  );
}

type Values = { url: string; description: string; events: EventType[] };

function wishOf({ url, description, events }: Values): WebhookInput {
  const about = description.trim();
  return { url: url.trim(), events, ...(about && { description: about }) };
}
