/** What the composer loads only when it is opened, in one chunk; separate chunks would each contain the shared code. */
export { AltTextWindow } from "../library/alt-text";
export { Clash } from "./clash/clash";
export { CoverWindow } from "./cover/cover-window";
export { CropWindow, cropTo } from "./crop/crop-window";
export { Leaving, MoreWindow } from "./draft/ways-out";
export { EmojiPanel } from "./parts/emoji-panel";
export { HelperWindow } from "./targets/helper-windows";
export { LibraryWindow } from "./uploads/library-window";
