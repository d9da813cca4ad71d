import type { Platform } from "@/lib/platforms";

/** Our own badges: a colour and letters, always next to the name. White on each colour meets AA contrast. */
const signs: Record<Platform, { letters: string; colour: string }> = {
  X_TWITTER: { letters: "X", colour: "#262626" },
  YOUTUBE: { letters: "YT", colour: "#b3261e" },
  THREADS: { letters: "Th", colour: "#4a4a4a" },
  TIKTOK: { letters: "TT", colour: "#0f5b66" },
  INSTAGRAM: { letters: "IG", colour: "#a3246b" },
  LINKEDIN: { letters: "in", colour: "#0a55a0" },
  BLUE_SKY: { letters: "Bs", colour: "#0b61c4" },
  TELEGRAM: { letters: "Tg", colour: "#1b6f9c" },
  FACEBOOK: { letters: "fb", colour: "#2b4fa8" },
  PINTEREST: { letters: "Pi", colour: "#a01222" },
};

export function NetworkBadge({ platform, className = "size-8" }: { platform: Platform; className?: string }) {
  const { letters, colour } = signs[platform];
  return (
    <span
      aria-hidden
      style={{ backgroundColor: colour }}
      className={`inline-flex shrink-0 items-center justify-center rounded-lg border border-white/25 font-bold text-white text-xs ${className}`}
    >
      {letters}
    </span>
  );
}
