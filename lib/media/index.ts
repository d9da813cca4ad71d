export { addressOf } from "./address";
export { holdMedia, isVideo, type Media, mediaOf, openMedia } from "./media";
export { serveMedia } from "./serve";
export { uploadMedia } from "./upload";
