/** The composer's windows in one chunk; separate chunks would each contain the shared code. */
export { Clash } from "./clash/clash";
export { CoverWindow } from "./cover/cover-window";
export { CropWindow } from "./crop/crop-window";
