"use client";
import { useDeliveries, type Webhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { LoadFailed } from "../ui/load-failed";
import { SkeletonRows } from "../ui/skeleton";
import * as words from "../words/webhooks";
import { DeliveryCard } from "./delivery-card";

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const deliveries = useDeliveries(String(webhook.id));
  const items = deliveries.data?.pages.flatMap((page) => page.items);
  return (
    <section aria-labelledby="deliveries" className="grid gap-3">
      <h2 id="deliveries" className="font-semibold text-lg">
        {words.deliveries}
      </h2>
      {deliveries.isPending && <SkeletonRows label={words.loadingDeliveries} />}
      {deliveries.isError && !items && (
        <LoadFailed text={words.couldNotLoadDeliveries(deliveries.error.message)} retry={() => deliveries.refetch()} />
      )}
      {items?.length === 0 && <p className="text-muted">{words.nothingSent}</p>}
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
          {deliveries.isFetchingNextPage ? words.loadingOlder : words.older}
        </Button>
      )}
    </section>
  );
}
