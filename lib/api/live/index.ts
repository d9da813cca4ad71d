export { answerLive } from "./answer";
export { endLiveStreams } from "./hub";
