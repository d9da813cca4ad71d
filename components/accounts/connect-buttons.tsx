"use client";
import { ConnectProgress } from "../connect/connect-progress";
import { useConnectWindow } from "../connect/use-connect-window";
import { NetworkBadge } from "../networks/badge";
import type { NetworkFacts } from "../networks/types";
import { accountWords } from "./words";

/**
 * A plain form with one button per network. The response is the network's consent page, in a separate window where
 * there is room for one. For a bot, this page waits while the user talks to it in the network's app.
 */
export function ConnectButtons({ networks }: { networks: NetworkFacts[] }) {
  const connecting = useConnectWindow();
  const find = (platform: string) => networks.find((network) => network.platform === platform);
  const networkOf = (platform: string) => find(platform)?.name ?? platform;
  return (
    <>
      <ConnectProgress {...connecting} networkOf={networkOf} />
      <form
        method="post"
        action="/oauth/connect/new"
        className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent; // the native type of a form's submit event
          const network = find(submitter instanceof HTMLButtonElement ? submitter.value : "");
          if (network && !network.isBot) connecting.onSubmit(event, network.name);
        }}
      >
        <input type="hidden" name="ticket" />
        <input type="hidden" name="window" />
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
                <span className="sr-only">{accountWords.connectTo}</span>
                {name}
              </span>
              <span className="block text-muted text-sm">
                {isSimulated ? accountWords.simulated : accountWords.connect}
              </span>
            </span>
          </button>
        ))}
      </form>
    </>
  );
}
