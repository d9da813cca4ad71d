import { NetworkBadge } from "../networks/badge";
import type { NetworkFacts } from "../networks/types";

/** One plain form, a button for each network: the answer is the network's own consent page. */
export function ConnectButtons({ networks }: { networks: NetworkFacts[] }) {
  return (
    <form method="post" action="/oauth/connect/new" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {networks.map(({ platform, name, isSimulated }) => (
        <button
          key={platform}
          type="submit"
          name="platform"
          value={platform}
          className="flex min-h-16 items-center gap-3 rounded-xl border border-edge bg-surface px-4 py-3 text-left hover:border-accent hover:bg-accent-soft"
        >
          <NetworkBadge platform={platform} />
          <span>
            <span className="block font-semibold">
              <span className="sr-only">Connect </span>
              {name}
            </span>
            <span className="block text-muted text-sm">
              {isSimulated ? "Simulated, no approval needed" : "Connect"}
            </span>
          </span>
        </button>
      ))}
    </form>
  );
}
