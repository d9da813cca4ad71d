import { canInConsole, type Member, memberRoles, type Partner } from "@/lib/partners";
import { Hidden } from "../developers/fields";
import { Button } from "../ui/button";
import { Table, utc } from "./table";
import { consoleWords } from "./words";

const words = consoleWords.members;

type Props = { partner: Partner; members: Member[]; ownId: string };

/** The members of a partner. Owners can change roles and remove members; each member can leave. */
export function Members({ partner, members, ownId }: Props) {
  const canChange = canInConsole(partner, "set-role");
  const isMember = members.some(({ userId }) => userId === ownId);
  const rows = members.map((member) => ({
    key: member.userId,
    cells: [
      member.email,
      canChange ? <RoleForm key="role" client={partner.clientId} member={member} /> : words.roles[member.role],
      utc(member.createdAt),
      ...(canChange ? [<RemoveForm key="remove" client={partner.clientId} member={member} />] : []),
    ],
  }));
  return (
    <>
      <Table caption={words.title} head={words.head.slice(0, canChange ? 4 : 3)} rows={rows} empty={words.none} />
      {isMember && (
        <form method="post" action={`/console/${partner.clientId}/do/leave`}>
          <Button type="submit" look="danger">
            {words.leave}
          </Button>
        </form>
      )}
      <section aria-labelledby="roles" className="grid gap-2">
        <h2 id="roles" className="font-semibold text-lg">
          {words.rolesTitle}
        </h2>
        <ul className="grid list-disc gap-1 pl-5">
          {memberRoles.map((role) => (
            <li key={role}>
              <strong>{words.roles[role]}</strong> {words.rights[role]}
            </li>
          ))}
        </ul>
        <p className="text-muted text-sm">{words.lastOwner}</p>
      </section>
    </>
  );
}

type FormProps = { client: string; member: Member };

function RoleForm({ client, member: { userId, email, role } }: FormProps) {
  return (
    <form method="post" action={`/console/${client}/do/set-role`} className="flex items-center gap-2">
      <Hidden values={{ member: userId }} />
      <select
        name="role"
        defaultValue={role}
        aria-label={words.role(email)}
        className="min-h-11 rounded-lg border border-edge bg-surface px-3"
      >
        {memberRoles.map((one) => (
          <option key={one} value={one}>
            {words.roles[one]}
          </option>
        ))}
      </select>
      <Button type="submit" look="quiet" aria-label={words.saveRole(email)}>
        {words.save}
      </Button>
    </form>
  );
}

function RemoveForm({ client, member: { userId, email } }: FormProps) {
  return (
    <form method="post" action={`/console/${client}/do/remove-member`}>
      <Hidden values={{ member: userId }} />
      <Button type="submit" look="danger" aria-label={words.removeMember(email)}>
        {words.remove}
      </Button>
    </form>
  );
}
