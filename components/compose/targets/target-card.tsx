"use client";
import { memo, useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import type { UseFormReturn } from "react-hook-form";
import { AccountFace } from "../../accounts/account-face";
import { handleOf } from "../../accounts/names";
import { animationOf } from "../../library/stored-files";
import { useMediaAt } from "../../library/use-alt-text";
import { previewOf } from "../../previews/data";
import { PublicationMockup } from "../../previews/preview";
import type { PreviewMedia } from "../../previews/types";
import { Card } from "../../ui/card";
import type { ComposeProblem } from "../check/problems";
import type { Draft, Part } from "../draft/draft";
import { publicationsOf } from "../draft/submission";
import { Counter } from "../parts/counter";
import { partsOf } from "../parts/parts";
import { PartsField } from "../parts/parts-field";
import type { Upload } from "../uploads/use-uploads";
import { composeWords } from "../words";
import { SettingsFields } from "./settings-fields";
import type { Target } from "./targets";

type Props = {
  target: Target;
  form: UseFormReturn<Draft>;
  problems: ComposeProblem[];
  announce: (text: string) => void;
};

/** What one account will get: its settings, its texts, its problems and a preview. */
export const TargetCard = memo(function TargetCard({ target, form, problems, announce }: Props) {
  const { account, network, posts, isOwnText } = target;
  const counts = posts.flatMap(({ count }, index) =>
    count ? [{ count, of: posts.length > 1 ? composeWords.part(index + 1) : undefined }] : [],
  );
  return (
    <Card className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <AccountFace account={account} size="size-9" />
        <h3 className="min-w-0 flex-1 text-sm leading-tight">
          <span className="block font-semibold">{network.name}</span>
          <span className="block text-muted">{handleOf(account)}</span>
        </h3>
        {isOwnText && (
          <span className="rounded-full bg-busy-soft px-2.5 py-0.5 font-medium text-busy text-xs">
            {composeWords.ownText}
          </span>
        )}
        <span className="grid justify-items-end">
          {counts.map(({ count, of }) => (
            <Counter key={of ?? "only"} count={count} of={of} />
          ))}
        </span>
      </div>
      <ul className="grid gap-1 text-sm empty:hidden">
        {problems.map(({ id, text, isWarning }) => (
          <li key={id} className={isWarning ? "text-warn" : "text-wrong"}>
            {text}
          </li>
        ))}
      </ul>
      <Remarks target={target} />
      <SettingsFields target={target} form={form} />
      <OwnText target={target} form={form} announce={announce} />
      <TargetPreview target={target} />
    </Card>
  );
});

/** The preview of the publication that will be sent, with local file details. */
function TargetPreview({ target }: { target: Target }) {
  const { account, network, chats, posts } = target;
  const files = new Map(posts.flatMap((post) => post.files.map((file) => [pathOf(file), file] as const)));
  const stored = useMediaAt([...files.values()].flatMap(({ path }) => path ?? []));
  const [publication] = publicationsOf([target], pathOf);
  const covers = new Map([...files.values()].map(({ cover }) => [cover?.path, cover] as const));
  const media = (path: string): PreviewMedia => {
    const file = files.get(path);
    const cover = covers.get(path);
    if (cover) return { key: path, kind: "image", src: cover.thumb, name: cover.name };
    const known = stored.get(path);
    const facts = known && { altText: known.altText, animation: animationOf(known) };
    return { key: path, kind: file?.kind ?? "image", src: file?.thumb, name: file?.name ?? path, ...facts };
  };
  const sent = publication ?? { platformSettings: { type: "" }, posts: [] };
  return <PublicationMockup preview={previewOf(sent, { account, network, chats, media })} />;
}

/** A file that is not stored yet is shown by its ID. */
function pathOf({ path, id }: Upload): string {
  return path ?? id;
}

function Remarks({ target: { network, posts, isJoined } }: { target: Target }) {
  const left = [
    isJoined && composeWords.becomesOneText(network.name),
    posts.some(({ dropsText }) => dropsText) && composeWords.showsNoText(network.name),
  ].filter((remark) => remark !== false);
  return left.map((remark) => (
    <p key={remark} className="text-sm text-warn">
      {remark}
    </p>
  ));
}

function OwnText({ target, form, announce }: Pick<Props, "target" | "form" | "announce">) {
  const { key, network, posts } = target;
  const path = `own.${key}` as const;
  // Read from the form, because `target` may lag behind what is being typed.
  const subscribe = useCallback(
    (callback: () => void) => form.subscribe({ name: path, formState: { values: true }, callback }),
    [form, path],
  );
  const own = useSyncExternalStore(subscribe, () => form.getValues(path));
  const place = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    // The pressed button is gone, so the focus moves to what took its place.
    if (isPressed.current) place.current?.querySelector<HTMLElement>(own ? "textarea" : "button")?.focus();
    isPressed.current = false;
  }, [own]);
  function change(parts: Part[] | undefined) {
    isPressed.current = true;
    form.setValue(path, parts);
  }
  return (
    <div ref={place} className="grid gap-2">
      {own ? (
        <>
          <PartsField
            parts={own}
            accountKey={key}
            label={composeWords.ownTextFor(network.name)}
            rows={4}
            change={(parts) => form.setValue(path, parts)}
            announce={announce}
          />
          <TextButton onClick={() => change(undefined)}>{composeWords.commonAgain}</TextButton>
        </>
      ) : (
        <TextButton onClick={() => change(partsOf(posts.map(({ text }) => text)))}>
          {composeWords.writeOwn(network.name)}
        </TextButton>
      )}
    </div>
  );
}

function TextButton({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="min-h-8 justify-self-start text-accent text-sm underline">
      {children}
    </button>
  );
}
