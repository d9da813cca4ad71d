"use client";
import { useCreateWebhook, useWebhooks, type Webhook, type WebhookInput } from "../api/webhooks";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/loading";
import { EndpointState } from "./states";
import { Secret } from "./webhook-actions";
import { WebhookForm } from "./webhook-form";
import { webhookWords } from "./words";

type Props = {
  eventTypes: readonly Webhook["events"][number][];
  /** Those of the page's request. A placeholder would move the form, because their number is not known. */
  begun: Webhook[];
  /** What was entered before the API asked for a fresh sign-in. */
  entered?: WebhookInput;
};

/** The webhooks, and a form to add one. */
export function Webhooks({ eventTypes, begun, entered }: Props) {
  const webhooks = useWebhooks(begun);
  const create = useCreateWebhook();
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
            key={create.data?.id}
            eventTypes={eventTypes}
            webhook={create.data ? undefined : entered}
            action={webhookWords.addIt}
            send={async (input) => {
              const path = window.location.pathname;
              window.history.replaceState(null, "", `${path}?${queryOf(input)}`); // a fresh sign-in returns to this address
              await create.mutateAsync(input);
              window.history.replaceState(null, "", path);
            }}
          />
        </Card>
      </section>
    </div>
  );
}

function queryOf({ url, description, events }: WebhookInput): URLSearchParams {
  return new URLSearchParams([
    ["url", url],
    ...(description ? [["description", description]] : []),
    ...events.map((type) => ["event", type]),
  ]);
}

function Row({ webhook }: { webhook: Webhook }) {
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
