export { addressOf } from "./address";
export { cleanUpLoop, watchStaged } from "./clean-up";
export { confirmUpload } from "./confirm";
export { converted, convertedName } from "./convert";
export { deleteMedia } from "./delete";
export { eraseMedia } from "./erase";
export { getMedia } from "./get";
export { grantUpload } from "./grant";
export {
  createImport,
  getImport,
  importMedia,
  listImports,
  presentImport,
  releaseImports,
  startImport,
  withdrawImports,
} from "./imports";
export { removeLeftover } from "./keep";
export { listMedia } from "./list";
export { holdMedia, isVideo, type Media, mediaOf, openMedia } from "./media";
export { addressesUntil, presentConfirmed, presentMedia } from "./present";
export { answerPut } from "./put";
export { asFilm, type FilmRecipe, type ImageRecipe, type ImageType } from "./recipe";
export { redrawn } from "./redraw";
export { serveMedia, serveThumbnail } from "./serve";
export { settleUploads } from "./settle";
export { UnusableFile } from "./unusable";
export { updateMedia } from "./update";
export { uploadMedia } from "./upload";
export { usesFile } from "./used";
