"use client";
import { type ApiWebhook, useUpdateWebhook, useWebhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { ArrowLeft } from "../ui/icons";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Deliveries } from "./deliveries";
import { EndpointState } from "./states";
import { WebhookActions } from "./webhook-actions";
import { WebhookForm } from "./webhook-form";
import { webhookWords } from "./words";

export function WebhookDetail({ id, eventTypes }: { id: string; eventTypes: readonly ApiWebhook["events"][number][] }) {
  const webhook = useWebhook(id);
  return (
    <div className="grid min-w-0 gap-8">
      <Link
        href="/webhooks"
        className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline"
      >
        <ArrowLeft aria-hidden className="size-4" /> {webhookWords.all}
      </Link>
      <div className="flex items-start justify-between gap-3">
        <h1 className="wrap-anywhere min-w-0 text-xl">{webhook.data?.url ?? webhookWords.webhook}</h1>
        {webhook.data && <EndpointState isEnabled={webhook.data.enabled} />}
      </div>
      {webhook.isPending && <SkeletonRows label={webhookWords.loadingOne} rows={2} />}
      {webhook.isError && !webhook.data && (
        <LoadFailed text={webhookWords.couldNotLoadOne(webhook.error.message)} retry={() => webhook.refetch()} />
      )}
      {webhook.data && (
        <>
          {!webhook.data.enabled && <SwitchedOff webhook={webhook.data} />}
          <WebhookActions webhook={webhook.data} />
          <div className="grid items-start gap-8 wide:grid-cols-2">
            <Edit webhook={webhook.data} eventTypes={eventTypes} />
            <Deliveries webhook={webhook.data} />
          </div>
        </>
      )}
    </div>
  );
}

const wishOf = ({ url, events, description }: ApiWebhook) => ({ url, events, ...(description && { description }) });

function SwitchedOff({ webhook }: { webhook: ApiWebhook }) {
  const update = useUpdateWebhook(webhook.id);
  const on = (
    <Button look="quiet" aria-disabled={update.isPending} onClick={() => update.mutate(wishOf(webhook))}>
      {webhookWords.switchOn}
    </Button>
  );
  return (
    <Notice tone="warn" action={on}>
      {webhook.disabledReason ? webhookWords.isOffBecause(webhook.disabledReason) : webhookWords.isOff}
      {update.isError && ` ${update.error.message}`}
    </Notice>
  );
}

function Edit({ webhook, eventTypes }: { webhook: ApiWebhook; eventTypes: readonly ApiWebhook["events"][number][] }) {
  const update = useUpdateWebhook(webhook.id);
  return (
    <details className="rounded-2xl border border-line bg-surface p-5">
      <summary className="py-1 font-medium">{webhookWords.addressAndEvents(webhook.events.length)}</summary>
      <div className="mt-4">
        <WebhookForm
          eventTypes={eventTypes}
          webhook={webhook}
          action={webhookWords.keep}
          send={(input) => update.mutateAsync({ ...input, enabled: webhook.enabled })}
          changed={() => update.isSuccess && update.reset()}
        />
        <p aria-live="polite" className="mt-2 text-muted text-sm">
          {update.isSuccess && webhookWords.kept}
        </p>
      </div>
    </details>
  );
}
