import type { presentEndpoint } from "@/lib/webhooks";
import { Card } from "../ui/card";
import { Sentence } from "../ui/sentence";
import { EndpointState } from "./states";
import { webhookWords } from "./words";

/** A partner's webhooks, which are managed with its own token. */
export function PartnerWebhooks({ webhooks }: { webhooks: ReturnType<typeof presentEndpoint>[] }) {
  return (
    <>
      {webhooks.length === 0 && <p className="text-muted">{webhookWords.noneYet}</p>}
      <ul className="grid gap-3">
        {webhooks.map(({ id, url, description, events, enabled, disabledReason }) => (
          <li key={id}>
            <Card>
              <div className="flex items-start justify-between gap-3">
                <h2 className="wrap-anywhere min-w-0 font-medium">{url}</h2>
                <EndpointState isEnabled={enabled} />
              </div>
              {description && <p className="mt-1">{description}</p>}
              {disabledReason && <p className="mt-1 text-warn">{webhookWords.reason(disabledReason)}</p>}
              <p className="mt-1 text-muted text-sm">
                {webhookWords.numbered(
                  id,
                  events.length === 1 ? `${events[0]}` : webhookWords.kindsOfEvents(events.length),
                )}
              </p>
            </Card>
          </li>
        ))}
      </ul>
      <p className="max-w-3xl text-muted text-sm">
        <Sentence
          text={webhookWords.howPartnersChange}
          parts={{
            webhooks: <code>/v1/webhooks</code>,
            deliveries: <code>/v1/webhooks/&#123;id&#125;/deliveries</code>,
          }}
        />
      </p>
    </>
  );
}
