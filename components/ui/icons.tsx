import type { ComponentProps, ReactElement } from "react";

// Icons of Lucide (lucide.dev, version 1.75; ISC license, see public/icons.svg), under its names. They are copied, because the
// package has 1,700 icons and takes 50 MB (ADR 64). For a further icon, use "Copy JSX" on lucide.dev and keep the elements in <svg>,
// or only the `d` of short paths.

type IconProps = ComponentProps<"svg">;
export type IconComponent = (props: IconProps) => ReactElement;

/** Decorative, because the text or the label beside an icon says what it means. `isRound`: with a circle around it. */
function Svg({ isRound, paths = [], children, ...props }: IconProps & { isRound?: boolean; paths?: string[] }) {
  return (
    <svg
      aria-hidden
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      {isRound && <circle cx="12" cy="12" r="10" />}
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
      {children}
    </svg>
  );
}

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
 * icons. Except in a preview, whose icons are all from it, an icon that is the only content of a button is one of those below: it must
 * not depend on another file.
 */
export function SpriteIcon({ name, className }: { name: SpriteName; className: string }) {
  return (
    <Svg className={className}>
      <use href={`/icons.svg#${name}`} />
    </Svg>
  );
}

export const ArrowLeft = (props: IconProps) => <Svg {...props} paths={["m12 19-7-7 7-7", "M19 12H5"]} />;
export const ArrowRight = (props: IconProps) => <Svg {...props} paths={["M5 12h14", "m12 5 7 7-7 7"]} />;
export const ArrowUp = (props: IconProps) => <Svg {...props} paths={["m5 12 7-7 7 7", "M12 19V5"]} />;
export const Check = (props: IconProps) => <Svg {...props} paths={["M20 6 9 17l-5-5"]} />;
export const CheckCircle2 = (props: IconProps) => <Svg {...props} isRound paths={["m16 9-5.5 5.5L8 12"]} />;
export const ChevronDown = (props: IconProps) => <Svg {...props} paths={["m6 9 6 6 6-6"]} />;
export const ChevronLeft = (props: IconProps) => <Svg {...props} paths={["m15 18-6-6 6-6"]} />;
export const ChevronRight = (props: IconProps) => <Svg {...props} paths={["m9 18 6-6-6-6"]} />;
export const Circle = (props: IconProps) => <Svg {...props} isRound />;
export const Clock = (props: IconProps) => <Svg {...props} isRound paths={["M12 6v6l4 2"]} />;
export const Info = (props: IconProps) => <Svg {...props} isRound paths={["M12 16v-4", "M12 8h.01"]} />;
export const LoaderCircle = (props: IconProps) => <Svg {...props} paths={["M21 12a9 9 0 1 1-6.219-8.56"]} />;
export const Menu = (props: IconProps) => <Svg {...props} paths={["M4 5h16", "M4 12h16", "M4 19h16"]} />;
export const Plus = (props: IconProps) => <Svg {...props} paths={["M5 12h14", "M12 5v14"]} />;
export const Text = (props: IconProps) => <Svg {...props} paths={["M21 5H3", "M15 12H3", "M17 19H3"]} />;
export const X = (props: IconProps) => <Svg {...props} paths={["M18 6 6 18", "m6 6 12 12"]} />;
export const XCircle = (props: IconProps) => <Svg {...props} isRound paths={["m15 9-6 6", "m9 9 6 6"]} />;

export const Accessibility = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="16" cy="4" r="1" />
    <path d="m18 19 1-7-6 1" />
    <path d="m5 8 3-3 5.5 3-2.36 3.5" />
    <path d="M4.24 14.5a5 5 0 0 0 6.88 6" />
    <path d="M13.76 17.5a5 5 0 0 0-6.88-6" />
  </Svg>
);

export const AtSign = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="12" cy="12" r="4" />
    <path d="M16 8v5a3 3 0 0 0 6 0v-1a10 10 0 1 0-4 8" />
  </Svg>
);

export const Bell = (props: IconProps) => (
  <Svg {...props}>
    <path d="M10.268 21a2 2 0 0 0 3.464 0" />
    <path d="M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326" />
  </Svg>
);

export const Blocks = (props: IconProps) => (
  <Svg {...props}>
    <path d="M10 22V7a1 1 0 0 0-1-1H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5a1 1 0 0 0-1-1H2" />
    <rect x="14" y="2" width="8" height="8" rx="1" />
  </Svg>
);

export const BookOpen = (props: IconProps) => (
  <Svg {...props}>
    <path d="M12 5v16" />
    <path d="M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z" />
  </Svg>
);

export const CalendarClock = (props: IconProps) => (
  <Svg {...props}>
    <path d="M16 14v2.2l1.6 1" />
    <path d="M16 2v3" />
    <path d="M21 7.338V5a2 2 0 00-2-2H5a2 2 0 00-2 2v14a2 2 0 002 2h2.338" />
    <path d="M3 9h5.859" />
    <path d="M8 2v3" />
    <circle cx="16" cy="16" r="6" />
  </Svg>
);

export const CalendarDays = (props: IconProps) => (
  <Svg {...props}>
    <path d="M8 2v3" />
    <path d="M16 2v3" />
    <rect x="3" y="3" width="18" height="18" rx="2" />
    <path d="M3 9h18" />
    <path d="M8 13h.01" />
    <path d="M12 13h.01" />
    <path d="M16 13h.01" />
    <path d="M8 17h.01" />
    <path d="M12 17h.01" />
    <path d="M16 17h.01" />
  </Svg>
);

export const CodeXml = (props: IconProps) => (
  <Svg {...props}>
    <path d="m18 16 4-4-4-4" />
    <path d="m6 8-4 4 4 4" />
    <path d="m14.5 4-5 16" />
  </Svg>
);

export const Copy = (props: IconProps) => (
  <Svg {...props}>
    <rect width="14" height="14" x="8" y="8" rx="2" ry="2" />
    <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
  </Svg>
);

export const Crop = (props: IconProps) => (
  <Svg {...props}>
    <path d="M6 2v14a2 2 0 0 0 2 2h14" />
    <path d="M18 22V8a2 2 0 0 0-2-2H2" />
  </Svg>
);

export const Download = (props: IconProps) => (
  <Svg {...props}>
    <path d="M12 15V3" />
    <path d="M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4" />
    <path d="m7 10 5 5 5-5" />
  </Svg>
);

export const Ellipsis = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="12" cy="12" r="1" />
    <circle cx="19" cy="12" r="1" />
    <circle cx="5" cy="12" r="1" />
  </Svg>
);

export const ExternalLink = (props: IconProps) => (
  <Svg {...props}>
    <path d="M15 3h6v6" />
    <path d="M10 14 21 3" />
    <path d="M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6" />
  </Svg>
);

export const FileSpreadsheet = (props: IconProps) => (
  <Svg {...props}>
    <path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z" />
    <path d="M14 2v5a1 1 0 0 0 1 1h5" />
    <path d="M8 13h2" />
    <path d="M14 13h2" />
    <path d="M8 17h2" />
    <path d="M14 17h2" />
  </Svg>
);

export const FileText = (props: IconProps) => (
  <Svg {...props}>
    <path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z" />
    <path d="M14 2v5a1 1 0 0 0 1 1h5" />
    <path d="M10 9H8" />
    <path d="M16 13H8" />
    <path d="M16 17H8" />
  </Svg>
);

export const FolderPlus = (props: IconProps) => (
  <Svg {...props}>
    <path d="M12 10v6" />
    <path d="M9 13h6" />
    <path d="M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z" />
  </Svg>
);

export const Hash = (props: IconProps) => (
  <Svg {...props}>
    <line x1="4" x2="20" y1="9" y2="9" />
    <line x1="4" x2="20" y1="15" y2="15" />
    <line x1="10" x2="8" y1="3" y2="21" />
    <line x1="16" x2="14" y1="3" y2="21" />
  </Svg>
);

export const HelpCircle = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5" />
    <path d="M12 17h.01" />
  </Svg>
);

export const House = (props: IconProps) => (
  <Svg {...props}>
    <path d="M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8" />
    <path d="M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z" />
  </Svg>
);

export const Image = (props: IconProps) => (
  <Svg {...props}>
    <rect width="18" height="18" x="3" y="3" rx="2" ry="2" />
    <circle cx="9" cy="9" r="2" />
    <path d="m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21" />
  </Svg>
);

export const ImageDown = (props: IconProps) => (
  <Svg {...props}>
    <path d="M10.3 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10l-3.1-3.1a2 2 0 0 0-2.814.014L6 21" />
    <path d="m14 19 3 3v-5.5" />
    <path d="m17 22 3-3" />
    <circle cx="9" cy="9" r="2" />
  </Svg>
);

export const Images = (props: IconProps) => (
  <Svg {...props}>
    <path d="m22 11-1.296-1.296a2.4 2.4 0 0 0-3.408 0L11 16" />
    <path d="M4 8a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2" />
    <circle cx="13" cy="7" r="1" fill="currentColor" />
    <rect x="8" y="2" width="14" height="14" rx="2" />
  </Svg>
);

export const Keyboard = (props: IconProps) => (
  <Svg {...props}>
    <path d="M10 8h.01" />
    <path d="M12 12h.01" />
    <path d="M14 8h.01" />
    <path d="M16 12h.01" />
    <path d="M18 8h.01" />
    <path d="M6 8h.01" />
    <path d="M7 16h10" />
    <path d="M8 12h.01" />
    <rect width="20" height="16" x="2" y="4" rx="2" />
  </Svg>
);

export const LifeBuoy = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="m4.93 4.93 4.24 4.24" />
    <path d="m14.83 9.17 4.24-4.24" />
    <path d="m14.83 14.83 4.24 4.24" />
    <path d="m9.17 14.83-4.24 4.24" />
    <circle cx="12" cy="12" r="4" />
  </Svg>
);

export const Link2 = (props: IconProps) => (
  <Svg {...props}>
    <path d="M9 17H7A5 5 0 0 1 7 7h2" />
    <path d="M15 7h2a5 5 0 1 1 0 10h-2" />
    <line x1="8" x2="16" y1="12" y2="12" />
  </Svg>
);

export const LogOut = (props: IconProps) => (
  <Svg {...props}>
    <path d="m16 17 5-5-5-5" />
    <path d="M21 12H9" />
    <path d="M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4" />
  </Svg>
);

export const MessageSquarePlus = (props: IconProps) => (
  <Svg {...props}>
    <path d="M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z" />
    <path d="M12 8v6" />
    <path d="M9 11h6" />
  </Svg>
);

export const MessageSquareWarning = (props: IconProps) => (
  <Svg {...props}>
    <path d="M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z" />
    <path d="M12 15h.01" />
    <path d="M12 7v4" />
  </Svg>
);

export const PanelLeftClose = (props: IconProps) => (
  <Svg {...props}>
    <rect width="18" height="18" x="3" y="3" rx="2" />
    <path d="M9 3v18" />
    <path d="m16 15-3-3 3-3" />
  </Svg>
);

export const PanelLeftOpen = (props: IconProps) => (
  <Svg {...props}>
    <rect width="18" height="18" x="3" y="3" rx="2" />
    <path d="M9 3v18" />
    <path d="m14 9 3 3-3 3" />
  </Svg>
);

export const PauseCircle = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="12" cy="12" r="10" />
    <line x1="10" x2="10" y1="15" y2="9" />
    <line x1="14" x2="14" y1="15" y2="9" />
  </Svg>
);

export const PenLine = (props: IconProps) => (
  <Svg {...props}>
    <path d="M13 21h8" />
    <path d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z" />
  </Svg>
);

export const PencilLine = (props: IconProps) => (
  <Svg {...props}>
    <path d="M13 21h8" />
    <path d="m15 5 4 4" />
    <path d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z" />
  </Svg>
);

export const Play = (props: IconProps) => (
  <Svg {...props}>
    <path d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z" />
  </Svg>
);

export const Repeat = (props: IconProps) => (
  <Svg {...props}>
    <path d="m17 2 4 4-4 4" />
    <path d="M3 11v-1a4 4 0 0 1 4-4h14" />
    <path d="m7 22-4-4 4-4" />
    <path d="M21 13v1a4 4 0 0 1-4 4H3" />
  </Svg>
);

export const RotateCcw = (props: IconProps) => (
  <Svg {...props}>
    <path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8" />
    <path d="M3 3v5h5" />
  </Svg>
);

export const Rows3 = (props: IconProps) => (
  <Svg {...props}>
    <rect width="18" height="18" x="3" y="3" rx="2" />
    <path d="M21 9H3" />
    <path d="M21 15H3" />
  </Svg>
);

export const Rss = (props: IconProps) => (
  <Svg {...props}>
    <path d="M4 11a9 9 0 0 1 9 9" />
    <path d="M4 4a16 16 0 0 1 16 16" />
    <circle cx="5" cy="19" r="1" />
  </Svg>
);

export const Search = (props: IconProps) => (
  <Svg {...props}>
    <path d="m21 21-4.34-4.34" />
    <circle cx="11" cy="11" r="8" />
  </Svg>
);

export const Settings = (props: IconProps) => (
  <Svg {...props}>
    <path d="M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915" />
    <circle cx="12" cy="12" r="3" />
  </Svg>
);

export const Share2 = (props: IconProps) => (
  <Svg {...props}>
    <circle cx="18" cy="5" r="3" />
    <circle cx="6" cy="12" r="3" />
    <circle cx="18" cy="19" r="3" />
    <line x1="8.59" x2="15.42" y1="13.51" y2="17.49" />
    <line x1="15.41" x2="8.59" y1="6.51" y2="10.49" />
  </Svg>
);

export const Smile = (props: IconProps) => (
  <Svg {...props}>
    <path d="M15 10V9" />
    <path d="M16.472 15a6 6 0 01-8.943 0" />
    <path d="M9 10V9" />
    <circle cx="12" cy="12" r="10" />
  </Svg>
);

export const Sparkles = (props: IconProps) => (
  <Svg {...props}>
    <path d="M11.017 2.814a1 1 0 0 1 1.966 0l1.051 5.558a2 2 0 0 0 1.594 1.594l5.558 1.051a1 1 0 0 1 0 1.966l-5.558 1.051a2 2 0 0 0-1.594 1.594l-1.051 5.558a1 1 0 0 1-1.966 0l-1.051-5.558a2 2 0 0 0-1.594-1.594l-5.558-1.051a1 1 0 0 1 0-1.966l5.558-1.051a2 2 0 0 0 1.594-1.594z" />
    <path d="M20 2v4" />
    <path d="M22 4h-4" />
    <circle cx="4" cy="20" r="2" />
  </Svg>
);

export const Tag = (props: IconProps) => (
  <Svg {...props}>
    <path d="M12.586 2.586A2 2 0 0 0 11.172 2H4a2 2 0 0 0-2 2v7.172a2 2 0 0 0 .586 1.414l8.704 8.704a2.426 2.426 0 0 0 3.42 0l6.58-6.58a2.426 2.426 0 0 0 0-3.42z" />
    <circle cx="7.5" cy="7.5" r=".5" fill="currentColor" />
  </Svg>
);

export const Trash2 = (props: IconProps) => (
  <Svg {...props}>
    <path d="M10 11v6" />
    <path d="M14 11v6" />
    <path d="M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6" />
    <path d="M3 6h18" />
    <path d="M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2" />
  </Svg>
);

export const TriangleAlert = (props: IconProps) => (
  <Svg {...props}>
    <path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3" />
    <path d="M12 9v4" />
    <path d="M12 17h.01" />
  </Svg>
);

export const Video = (props: IconProps) => (
  <Svg {...props}>
    <path d="m16 13 5.223 3.482a.5.5 0 0 0 .777-.416V7.87a.5.5 0 0 0-.752-.432L16 10.5" />
    <rect x="2" y="6" width="14" height="12" rx="2" />
  </Svg>
);

export const Webhook = (props: IconProps) => (
  <Svg {...props}>
    <path d="M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2" />
    <path d="m6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06" />
    <path d="m12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8" />
  </Svg>
);

/** The outline of a bell, without its clapper. */
export const BELL =
  "M16 3.5a2 2 0 0 1 2 2v.4c4.3.9 7 4.4 7 9.1 0 4.6 1 6.5 2.6 8.1.7.7.2 1.9-.8 1.9H5.2c-1 0-1.5-1.2-.8-1.9C6 21.5 7 19.6 7 15c0-4.7 2.7-8.2 7-9.1v-.4a2 2 0 0 1 2-2z";

/** One bell that swings to the right, with a golden clapper. */
export function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-7 shrink-0 overflow-visible">
      <g transform="rotate(14 16 4)">
        <path fill="currentColor" d={BELL} />
        <circle cx="13.5" cy="27.3" r="2.9" className="fill-gold" />
      </g>
    </svg>
  );
}
