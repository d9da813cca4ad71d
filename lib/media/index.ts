export { attemptAddress, mediaAddress } from "./address";
export { checkObjects, compareWithStore, type ObjectProblem } from "./check-objects";
export { cleanUpLoop, startStagedFileCleanUp } from "./clean-up";
export { convertedName, convertMedia, redrawImage } from "./convert";
export { deleteMedia, eraseMedia } from "./delete";
export { UnusableFile } from "./file-errors";
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
export { removeOrphanedObject } from "./keep";
export {
  countMedia,
  getMedia,
  isVideoMedia,
  listMedia,
  listMediaLabels,
  lockMedia,
  type Media,
  type MediaChanges,
  type MediaSort,
  mediaByKeys,
  mediaKinds,
  mediaSorts,
  openMedia,
  updateMedia,
  usesFile,
} from "./media";
export { mediaKey } from "./name";
export { presentAddresses, presentConfirmed, presentMedia } from "./present";
export { countMediaBytes } from "./quota";
export { asVideo, type FilmRecipe, type ImageRecipe, type ImageType, type RewrapRecipe } from "./recipe";
export { isReferenced, type ObjectReference, objectReferences } from "./references";
export { serveMedia, serveThumbnail } from "./serve";
export { confirmUpload, settleUploads } from "./settle";
export { answerPut, grantUpload, uploadMedia } from "./upload";
