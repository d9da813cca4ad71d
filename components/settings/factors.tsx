import type { ReactNode } from "react";
import type { Factors, Passkey } from "@/lib/users";
import { utc } from "../console/table";
import { FIELD, Hidden } from "../developers/fields";
import { Button, buttonClass } from "../ui/button";
import { SettingsSection } from "./section";
import { settingsWords } from "./words";

type Props = { factors: Factors; hasPasskeys: boolean };

const words = settingsWords.factors;

/** The person's second factors. Works without script; only adding a passkey needs one. */
export function FactorsSection({ factors, hasPasskeys }: Props) {
  const { authenticatorSince, passkeys, recoveryCodesLeft } = factors;
  const isOn = authenticatorSince !== undefined || passkeys.length > 0;
  return (
    <SettingsSection id="factors" title={words.title} lead={isOn ? words.leadOn : words.leadOff}>
      <div className="grid gap-2">
        <Row title={words.authenticator} hint={authenticatorSince ? words.since(utc(authenticatorSince)) : words.off}>
          {authenticatorSince ? (
            <Act action="remove-authenticator" label={words.turnOff} name={words.turnOffApp} look="danger" />
          ) : (
            <a href="/settings/authenticator" aria-label={words.setUpApp} className={buttonClass("quiet")}>
              {words.setUp}
            </a>
          )}
        </Row>
        {isOn && (
          <Row title={words.recoveryCodes} hint={words.codesLeft(recoveryCodesLeft)}>
            <Act action="renew-codes" label={words.newCodes} look="quiet" />
          </Row>
        )}
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </div>
      {hasPasskeys && (
        <a href="/settings/passkeys" className={buttonClass("quiet", "mt-3")}>
          {words.addPasskey}
        </a>
      )}
    </SettingsSection>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, usedAt, backedUp, needsPassword } }: { passkey: Passkey }) {
  const used = usedAt ? words.addedAndUsed(utc(createdAt), utc(usedAt)) : words.added(utc(createdAt));
  return (
    <Row title={name} hint={`${used} ${backedUp ? words.synchronised : ""}`}>
      {needsPassword && <p className="basis-full text-sm text-warn">{words.needsPassword}</p>}
      <details className="basis-full">
        <summary className="min-h-11 content-center text-accent underline">{words.renameOrRemove(name)}</summary>
        <div className="mt-2 flex flex-wrap items-end gap-3">
          <form method="post" action="/settings/do/rename-passkey" className="flex flex-1 flex-wrap items-end gap-3">
            <Hidden values={{ passkey: id }} />
            <label className="grid flex-1 basis-40 gap-1">
              <span className="font-medium text-sm">{words.name}</span>
              <input name="name" defaultValue={name} maxLength={100} required className={FIELD} autoComplete="off" />
            </label>
            <Button type="submit" look="quiet" aria-label={words.renameOne(name)}>
              {words.rename}
            </Button>
          </form>
          <Act action="remove-passkey" label={words.remove} name={words.removeOne(name)} look="danger" passkey={id} />
        </div>
      </details>
    </Row>
  );
}

function Row({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-surface px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="wrap-anywhere font-medium">{title}</p>
        <p className="text-muted text-sm">{hint}</p>
      </div>
      {children}
    </div>
  );
}

type ActProps = { action: string; label: string; name?: string; look: "quiet" | "danger"; passkey?: string };

/** A form with one button. */
function Act({ action, label, name, look, passkey }: ActProps) {
  return (
    <form method="post" action={`/settings/do/${action}`}>
      {passkey && <Hidden values={{ passkey }} />}
      <Button type="submit" look={look} aria-label={name}>
        {label}
      </Button>
    </form>
  );
}
