export { addressOf } from "./address";
export { cleanUpLoop, watchStaged } from "./clean-up";
export { converted, convertedName, redrawn } from "./convert";
export { deleteMedia, eraseMedia } from "./delete";
export { UnusableFile } from "./file-errors";
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
export {
  getMedia,
  holdMedia,
  isVideo,
  listMedia,
  type Media,
  mediaOf,
  openMedia,
  updateMedia,
  usesFile,
} from "./media";
export { addressesUntil, presentConfirmed, presentMedia } from "./present";
export { asFilm, type FilmRecipe, type ImageRecipe, type ImageType } from "./recipe";
export { serveMedia, serveThumbnail } from "./serve";
export { confirmUpload, settleUploads } from "./settle";
export { answerPut, uploadMedia } from "./upload";
