import type { Target, TargetPost } from "../targets";
import type { Upload } from "../use-uploads";

/** The video whose cover a post's network takes; undefined where it takes none, or one of the attachments. */
export function coveredIn({ files, limits }: Pick<TargetPost, "files" | "limits">): Upload | undefined {
  if (!limits?.cover || limits.coverIsAttached) return undefined;
  return files.find(({ kind }) => kind === "video");
}

/** What becomes of a video's cover: the networks that take it, and those that choose one by themselves. */
export function takersOf({ id }: Pick<Upload, "id">, targets: Target[]): { take: string[]; choose: string[] } {
  const sent = targets.filter(({ posts }) => posts.some(({ files }) => files.some((file) => file.id === id)));
  const takes = ({ posts }: Target) => posts.some((post) => coveredIn(post)?.id === id);
  const named = (some: Target[]) => [...new Set(some.map(({ network }) => network.name))];
  return { take: named(sent.filter(takes)), choose: named(sent.filter((target) => !takes(target))) };
}
