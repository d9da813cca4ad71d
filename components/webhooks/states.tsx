import type { Delivery } from "../api/webhooks";
import { utcToSecond } from "../time/format";
import { CheckCircle2, Clock, type IconComponent, PauseCircle, XCircle } from "../ui/icons";
import { webhookWords } from "./words";

type Look = { icon: IconComponent; says: string; look: string };

const deliveryLooks = {
  PENDING: { icon: Clock, says: webhookWords.underWay, look: "bg-busy-soft text-busy" },
  DELIVERED: { icon: CheckCircle2, says: webhookWords.delivered, look: "bg-accent-soft text-accent" },
  FAILED: { icon: XCircle, says: webhookWords.failed, look: "bg-wrong-soft text-wrong" },
} satisfies Record<Delivery["state"], Look>;

const endpointLooks = {
  on: { icon: CheckCircle2, says: webhookWords.on, look: "bg-accent-soft text-accent" },
  off: { icon: PauseCircle, says: webhookWords.off, look: "bg-warn-soft text-warn" },
} satisfies { [state: string]: Look };

/** `isRepeated`: at least one attempt has failed. */
export function DeliveryState({ state, isRepeated }: { state: Delivery["state"]; isRepeated: boolean }) {
  const look = deliveryLooks[state];
  return state === "PENDING" && isRepeated ? (
    <Sign {...look} says={webhookWords.tryingAgain} look="bg-warn-soft text-warn" />
  ) : (
    <Sign {...look} />
  );
}

export function EndpointState({ isEnabled }: { isEnabled: boolean }) {
  return <Sign {...endpointLooks[isEnabled ? "on" : "off"]} />;
}

/** An icon, a word and a colour, because none is sufficient alone. */
function Sign({ icon: Icon, says, look }: Look) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-3 py-1 font-medium text-sm ${look}`}>
      <Icon aria-hidden className="size-4" />
      {says}
    </span>
  );
}

type Props = { type: string; timestamp: string; data: string };

/** An event with its data. */
export function EventRow({ type, timestamp, data }: Props) {
  return (
    <details className="rounded-2xl border border-line bg-surface px-5 py-3">
      <summary className="py-1">
        <code className="font-medium">{type}</code>
        <span className="block ps-4 text-muted text-sm sm:inline">{utcToSecond(timestamp)}</span>
      </summary>
      <pre className="my-2 max-h-96 overflow-y-auto whitespace-pre-wrap break-all rounded-lg bg-sunk p-3 text-sm">
        {data}
      </pre>
    </details>
  );
}
