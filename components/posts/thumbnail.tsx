"use client";
import { Play, Text } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { Thumbnail as StoredPicture } from "../library/thumbnail";
import { kindOf } from "../networks/formats";

type Props = { schedule: ApiSchedule; className?: string };

/** The picture of a post: its cover, or its first file. It is loaded when it comes near the screen. */
export function Thumbnail({ schedule, className = "size-11" }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const isNear = useIsNear(place);
  const posts = schedule.publications.flatMap(({ posts }) => posts);
  const key = posts.find(({ thumbnail }) => thumbnail)?.thumbnail;
  const path = posts.find(({ attachmentPaths = [] }) => attachmentPaths.length > 0)?.attachmentPaths?.[0];
  return (
    <span
      ref={place}
      aria-hidden
      className={`relative grid shrink-0 place-items-center overflow-hidden rounded-lg bg-sunk text-muted ${className}`}
    >
      {path === undefined ? (
        <Text className="size-4" />
      ) : (
        isNear && <Picture path={key ?? path} isVideo={kindOf(path) === "video"} />
      )}
    </span>
  );
}

function Picture({ path, isVideo }: { path: string; isVideo: boolean }) {
  return (
    <>
      <StoredPicture path={path} className="size-full" />
      {isVideo && (
        <span className="absolute grid size-5 place-items-center rounded-full bg-black/65">
          <Play className="size-2.5 fill-white text-white" />
        </span>
      )}
    </>
  );
}

const waiting = new WeakMap<Element, () => void>();
let watcher: IntersectionObserver | undefined;

/** Whether the element has come near the screen. One observer for all rows, because a list has thousands. */
function useIsNear(place: React.RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || isNear) return;
    watcher ??= new IntersectionObserver(tell, { rootMargin: "400px" });
    waiting.set(element, () => setNear(true));
    watcher.observe(element);
    return () => watcher?.unobserve(element);
  }, [place, isNear]);
  return isNear;
}

function tell(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
}
