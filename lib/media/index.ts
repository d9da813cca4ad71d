export { addressOf } from "./address";
export { isVideo, type Media, mediaOf, openMedia } from "./media";
export { serveMedia } from "./serve";
export { uploadMedia } from "./upload";
