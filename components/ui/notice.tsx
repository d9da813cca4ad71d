import type { ReactNode } from "react";
import { CheckCircle2, type IconComponent, Info, TriangleAlert, XCircle } from "./icons";

type Tone = "good" | "wrong" | "warn" | "info";

const tones: Record<Tone, { icon: IconComponent; look: string }> = {
  good: { icon: CheckCircle2, look: "bg-accent-soft text-accent" },
  wrong: { icon: XCircle, look: "bg-wrong-soft text-wrong" },
  warn: { icon: TriangleAlert, look: "bg-warn-soft text-warn" },
  info: { icon: Info, look: "bg-busy-soft text-busy" },
};

type Props = { tone: Tone; children: ReactNode; action?: ReactNode; className?: string };

/** A notice; an error is announced at once. */
export function Notice({ tone, children, action, className = "" }: Props) {
  const { icon: Icon, look } = tones[tone];
  return (
    <div
      role={tone === "wrong" ? "alert" : "status"}
      className={`flex flex-wrap items-center gap-3 rounded-xl p-4 ${look} ${className}`}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  );
}
