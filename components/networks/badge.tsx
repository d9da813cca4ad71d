import { type Platform, platforms } from "@/lib/platforms";

const DARK_IN_LIGHT = "bg-[#0b0b0b] text-white dark:bg-[#f2f4f3] dark:text-[#0b0b0b]";

/**
 * The ground of each mark, which may differ slightly from the network's own. Telegram's mark has its own round ground, so it
 * fills the badge, and white is only behind the plane: at the edge, it would be a ring in the dark theme.
 */
const grounds: Record<Platform, string> = {
  X_TWITTER: DARK_IN_LIGHT,
  YOUTUBE: "bg-[#d90000] text-white",
  THREADS: DARK_IN_LIGHT,
  TIKTOK: DARK_IN_LIGHT,
  INSTAGRAM: "bg-linear-[215deg,#7a3bd0,#d6246c_45%,#e8590c_90%] text-white",
  LINKEDIN: "bg-[#0a66c2] text-white",
  BLUE_SKY: "bg-[#0b6fdb] text-white",
  TELEGRAM: "bg-radial-[closest-side,white_75%,#fff0_75%] text-[#1c82bd]",
  FACEBOOK: "bg-[#0866ff] text-white",
  PINTEREST: "bg-[#bd081c] text-white",
};

/** The mark of a network (public/networks.svg), always next to its name or with the name for screen readers. */
export function NetworkBadge({ platform, className = "size-8" }: { platform: Platform; className?: string }) {
  return (
    <span
      aria-hidden
      className={`inline-grid shrink-0 place-items-center overflow-hidden rounded-full ${grounds[platform]} ${className}`}
    >
      <svg aria-hidden className={platform === "TELEGRAM" ? "size-full" : "size-[56%]"}>
        <use href={`/networks.svg#${platforms[platform]}`} />
      </svg>
    </span>
  );
}
