export type SpriteName =
  | "heart"
  | "message-circle"
  | "send"
  | "bookmark"
  | "repeat-2"
  | "eye"
  | "share-2"
  | "thumbs-up"
  | "thumbs-down"
  | "image"
  | "video"
  | "document"
  | "play"
  | "monitor"
  | "smartphone"
  | "loader"
  | "cloud"
  | "cloud-off"
  | "git-compare-arrows"
  | "image-plus"
  | "layers"
  | "chevron-down"
  | "circle-alert"
  | "check"
  | "triangle-alert";

/**
 * Shows a decorative icon from public/icons.svg. The composer's script has a size limit and does without the paths of these
 * icons. Except in a preview, whose icons are all from it, an icon that is the only content of a button comes from lucide-react: it must
 * not depend on another file.
 */
export function SpriteIcon({ name, className }: { name: SpriteName; className: string }) {
  return (
    <svg
      aria-hidden
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <use href={`/icons.svg#${name}`} />
    </svg>
  );
}
