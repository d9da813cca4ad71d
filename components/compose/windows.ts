/** What is opened over the composer now and then, in one piece: apart, each would bring what they share. */
export { Clash } from "./clash/clash";
export { CoverWindow } from "./cover/cover-window";
export { CropWindow } from "./crop/crop-window";
