/** What a member of a partner's console is. */
export const memberRoles = ["owner", "developer", "viewer"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** As what a person uses a console: as a member, as staff of this service, or as both. */
export type ConsoleRole = MemberRole | "staff";

export type ConsoleAction =
  | "rotate"
  | "retire"
  | "end-old"
  | "end-all"
  | "suspend"
  | "resume"
  | "settings"
  | "branding"
  | "rehearse"
  | "set-role"
  | "remove-member"
  | "leave";

/**
 * What each role may do in a partner's console. Every role sees every page. Staff can begin a rotation and end access that is
 * in the wrong hands, but never gets a secret or a say in who the members are, because either would let staff act as the partner.
 */
const rights: { [role in ConsoleRole]: readonly ConsoleAction[] } = {
  owner: ["rotate", "end-old", "suspend", "settings", "branding", "rehearse", "set-role", "remove-member", "leave"],
  developer: ["settings", "branding", "rehearse", "leave"],
  viewer: ["leave"],
  staff: ["retire", "end-old", "end-all", "suspend", "resume", "settings", "branding", "rehearse"],
};

/** Whether someone with these roles may do this in the console. */
export function canInConsole({ roles }: { roles: readonly ConsoleRole[] }, action: ConsoleAction): boolean {
  return roles.some((role) => rights[role].includes(action));
}
