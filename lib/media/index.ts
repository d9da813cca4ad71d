export { addressOf } from "./address";
export { deleteMedia, removeLeftover } from "./delete";
export { eraseMedia } from "./erase";
export { listMedia } from "./list";
export { isVideo, type Media, mediaOf, openMedia } from "./media";
export { presentMedia } from "./present";
export { serveMedia } from "./serve";
export { uploadMedia } from "./upload";
