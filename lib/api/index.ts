export { api, isApiPath } from "./app";
