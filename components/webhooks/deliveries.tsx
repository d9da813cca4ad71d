"use client";
import { useDeliveries, type Webhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { LoadFailed } from "../ui/load-failed";
import { SkeletonRows } from "../ui/skeleton";
import { DeliveryCard } from "./delivery-card";
import { webhookWords } from "./words";

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
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
