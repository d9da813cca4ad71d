"use client";
import { useEffect, useMemo } from "react";
import { type ApiWebhook, useCreateWebhook, useWebhooks, type WebhookInput } from "../api/webhooks";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/loading";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { EndpointState } from "./states";
import { Secret } from "./webhook-actions";
import { WebhookForm } from "./webhook-form";
import { webhookWords } from "./words";

type Props = {
  eventTypes: readonly ApiWebhook["events"][number][];
  /** The webhooks at the time of the page's request. A placeholder would move the form, because their number is not known. */
  initial: ApiWebhook[];
};

/**
 * Where this tab keeps what was entered while the person signs in again. It is not kept in the page's address, because a webhook's
 * address may contain a secret of the receiver, and browsers remember the addresses of pages.
 */
const UNSENT = "carillon-unsent-webhook";

/** The webhooks, and a form to add one. */
export function Webhooks({ eventTypes, initial }: Props) {
  const webhooks = useWebhooks(initial);
  const create = useCreateWebhook();
  const unsent = useUnsent();
  return (
    <div className="grid items-start gap-10 wide:grid-cols-2">
      <section aria-label={webhookWords.yours} className="grid gap-3">
        {webhooks.isError && (
          <LoadFailed text={webhookWords.couldNotLoad(webhooks.error.message)} retry={() => webhooks.refetch()} />
        )}
        {webhooks.data?.length === 0 && <p className="text-muted">{webhookWords.noneYetAddOne}</p>}
        {webhooks.data?.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </section>
      <section aria-labelledby="add" className="grid gap-4">
        <h2 id="add" className="font-semibold text-lg">
          {webhookWords.add}
        </h2>
        {create.data && <Secret secret={create.data.secret} />}
        <Card>
          <WebhookForm
            key={create.data?.id ?? Boolean(unsent).toString()}
            eventTypes={eventTypes}
            webhook={create.data ? undefined : unsent}
            action={webhookWords.addIt}
            send={async (input) => {
              sessionStorage.setItem(UNSENT, JSON.stringify(input)); // the API may ask for a fresh sign-in
              await create.mutateAsync(input);
              sessionStorage.removeItem(UNSENT);
            }}
          />
        </Card>
      </section>
    </div>
  );
}

/** Returns what was entered before a fresh sign-in, once: the next person in this tab does not see it. */
function useUnsent(): WebhookInput | undefined {
  const isHydrated = useIsHydrated();
  const unsent = useMemo(() => {
    const stored = isHydrated && sessionStorage.getItem(UNSENT);
    return stored ? JSON.parse(stored) : undefined;
  }, [isHydrated]);
  useEffect(() => {
    if (isHydrated) sessionStorage.removeItem(UNSENT);
  }, [isHydrated]);
  return unsent;
}

function Row({ webhook }: { webhook: ApiWebhook }) {
  const { id, url, description, events, disabledReason } = webhook;
  return (
    <Card>
      <div className="flex items-start justify-between gap-3">
        <Link href={`/webhooks/${id}`} className="wrap-anywhere min-w-0 font-medium text-accent underline">
          {url}
        </Link>
        <EndpointState isEnabled={webhook.enabled} />
      </div>
      {description && <p className="mt-1">{description}</p>}
      {disabledReason && <p className="mt-1 text-warn">{webhookWords.reason(disabledReason)}</p>}
      <p className="mt-1 text-muted text-sm">
        {events.length === 1 ? events[0] : webhookWords.kindsOfEvents(events.length)}
      </p>
    </Card>
  );
}
