import { CheckCircle2, Clock, type LucideIcon, PauseCircle, XCircle } from "lucide-react";
import type { Delivery } from "../api/webhooks";
import * as words from "../words/webhooks";

type Look = { icon: LucideIcon; says: string; look: string };

const deliveryLooks = {
  PENDING: { icon: Clock, says: words.underWay, look: "bg-busy-soft text-busy" },
  DELIVERED: { icon: CheckCircle2, says: words.delivered, look: "bg-accent-soft text-accent" },
  FAILED: { icon: XCircle, says: words.failed, look: "bg-wrong-soft text-wrong" },
} satisfies Record<Delivery["state"], Look>;

const endpointLooks = {
  on: { icon: CheckCircle2, says: words.on, look: "bg-accent-soft text-accent" },
  off: { icon: PauseCircle, says: words.off, look: "bg-warn-soft text-warn" },
} satisfies { [state: string]: Look };

export function DeliveryState({ state }: { state: Delivery["state"] }) {
  return <Sign {...deliveryLooks[state]} />;
}

export function EndpointState({ isEnabled }: { isEnabled: boolean }) {
  return <Sign {...endpointLooks[isEnabled ? "on" : "off"]} />;
}

/** Icon, word and colour together: none of them alone says it. */
function Sign({ icon: Icon, says, look }: Look) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-3 py-1 font-medium text-sm ${look}`}>
      <Icon aria-hidden className="size-4" />
      {says}
    </span>
  );
}
