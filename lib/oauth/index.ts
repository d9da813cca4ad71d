export { createApplication, createPartner, suspendPartner } from "./applications";
export { rotateSigningKey } from "./keys";
export { allows, allScopes, fromWire, type Scope } from "./scopes";
export { answerTokenRequest } from "./token-endpoint";
export { createPersonalToken, type Grant, grantOf } from "./tokens";
