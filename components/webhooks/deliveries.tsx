"use client";
import { type ApiDeliveryAttempt, type ApiWebhook, type Delivery, useDeliveries, useRedeliver } from "../api/webhooks";
import { utcToSecond } from "../time/format";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { DeliveryState } from "./states";
import { webhookWords } from "./words";

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhook }: { webhook: ApiWebhook }) {
  const deliveries = useDeliveries(String(webhook.id));
  const items = deliveries.data?.pages.flatMap((page) => page.items);
  return (
    <section aria-labelledby="deliveries" className="grid gap-3">
      <h2 id="deliveries" className="font-semibold text-lg">
        {webhookWords.deliveries}
      </h2>
      {deliveries.isPending && <SkeletonRows label={webhookWords.loadingDeliveries} />}
      {deliveries.isError && !items && (
        <LoadFailed
          text={webhookWords.couldNotLoadDeliveries(deliveries.error.message)}
          retry={() => deliveries.refetch()}
        />
      )}
      {items?.length === 0 && <p className="text-muted">{webhookWords.nothingSent}</p>}
      {items?.map((delivery) => (
        <DeliveryCard key={delivery.id} webhookId={webhook.id} delivery={delivery} canRedeliver={webhook.enabled} />
      ))}
      {deliveries.hasNextPage && (
        <Button
          look="quiet"
          aria-disabled={deliveries.isFetchingNextPage}
          onClick={() => deliveries.fetchNextPage()}
          className="justify-self-center"
        >
          {deliveries.isFetchingNextPage ? webhookWords.loadingOlder : webhookWords.older}
        </Button>
      )}
    </section>
  );
}

type Props = { webhookId: number; delivery: Delivery; canRedeliver: boolean };

/** A delivery with its body and attempts. */
function DeliveryCard({ webhookId, delivery, canRedeliver }: Props) {
  const again = useRedeliver(webhookId);
  const { id, type, state, body, attempts, nextAttemptTime, createdTime } = delivery;
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h3 className="font-medium">
            <code>{type}</code>
          </h3>
          <p className="text-muted text-sm">{utcToSecond(createdTime)}</p>
        </div>
        <DeliveryState state={state} isRepeated={attempts.length > 0} />
      </div>
      {nextAttemptTime && <p className="mt-2 text-sm">{webhookWords.nextAttempt(utcToSecond(nextAttemptTime))}</p>}
      {state === "FAILED" && attempts.length === 0 && <p className="mt-2 text-sm">{webhookWords.neverSent}</p>}
      <details className="mt-2">
        <summary className="py-1">{webhookWords.request(attempts.length)}</summary>
        <p className="wrap-anywhere mt-2 text-muted text-sm">{id}</p>
        <h4 className="mt-2 font-medium text-sm">{webhookWords.body}</h4>
        <Code text={body} />
        {attempts.map((attempt) => (
          <AttemptView key={attempt.startTime} attempt={attempt} />
        ))}
      </details>
      {canRedeliver && (
        <Button
          look="quiet"
          className="mt-2"
          aria-disabled={again.isPending}
          aria-label={webhookWords.sendThisAgain(type, id)}
          onClick={() => !again.isPending && again.mutate(id)}
        >
          {again.isPending ? webhookWords.sending : webhookWords.sendAgain}
        </Button>
      )}
      {again.isError && (
        <p role="alert" className="mt-2 text-wrong">
          {again.error.message}
        </p>
      )}
    </Card>
  );
}

function AttemptView({ attempt }: { attempt: ApiDeliveryAttempt }) {
  const { startTime, durationMs, url, headers, status, answer, error } = attempt;
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="mt-4 border-line border-t pt-3">
      <h4 className="font-medium text-sm">
        {status
          ? webhookWords.answered(utcToSecond(startTime), status, durationMs)
          : webhookWords.noAnswer(utcToSecond(startTime), durationMs)}
      </h4>
      {error && <p className="mt-1 text-sm text-wrong">{error}</p>}
      <Code text={[`POST ${url}`, ...sent].join("\n")} />
      {answer && <Code text={answer} />}
    </div>
  );
}

function Code({ text }: { text: string }) {
  return (
    <pre className="mt-2 max-h-80 overflow-y-auto whitespace-pre-wrap break-all rounded-lg bg-sunk p-3 text-sm">
      {text}
    </pre>
  );
}
