export { keepObject, readObject, removeObject, stageObject } from "./objects";
