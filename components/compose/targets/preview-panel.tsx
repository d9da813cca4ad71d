"use client";
import { memo, useState } from "react";
import { animationOf } from "../../library/stored-files";
import { useMediaAt } from "../../library/use-alt-text";
import { previewOf } from "../../previews/data";
import { PublicationMockup } from "../../previews/preview";
import type { PreviewMedia } from "../../previews/types";
import { SpriteIcon } from "../../ui/icons";
import type { ComposeProblem } from "../check/problems";
import { publicationsOf } from "../draft/submission";
import { type Tab, TabList, tabId } from "../parts/tab-list";
import type { Upload } from "../uploads/use-uploads";
import { composeWords } from "../words";
import type { Target } from "./targets";
import { type NetworkVersion, problemsOf } from "./versions";

type Props = {
  versions: NetworkVersion[];
  tabs: Tab[];
  /** The selected version; the first if it is not among them. */
  at: string | undefined;
  look: (version: string) => void;
  problems: ComposeProblem[];
};

const PANEL = "preview";

const SIZES = [
  [false, "smartphone", composeWords.phone],
  [true, "monitor", composeWords.desktop],
] as const;

/** A preview for each network in a tab of its own, with its warnings. */
export const PreviewPanel = memo(function PreviewPanel({ versions, tabs, at, look, problems }: Props) {
  const [isWide, setWide] = useState(false);
  const active = versions.find(({ id }) => id === at) ?? versions[0];
  const target = active?.targets[0];
  if (!target) {
    return <p className="p-5 text-center text-muted text-sm">{composeWords.chooseAccount}</p>;
  }
  const warnings = problemsOf(active, problems).flatMap(({ isWarning, text }) => (isWarning ? text : []));
  return (
    <>
      <div className="flex items-start gap-2">
        {tabs.length > 1 && (
          <TabList label={composeWords.previewFor} tabs={tabs} at={active.id} look={look} panel={PANEL} isSmall />
        )}
        <fieldset className="ml-auto hidden shrink-0 rounded-lg bg-line p-0.5 wide:flex">
          <legend className="sr-only">{composeWords.previewSize}</legend>
          {SIZES.map(([value, icon, name]) => (
            <label
              key={name}
              title={name}
              className="relative grid size-9 cursor-pointer place-items-center rounded-md text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="preview-size"
                checked={isWide === value}
                onChange={() => setWide(value)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <SpriteIcon name={icon} className="size-4" />
              <span className="sr-only">{name}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div
        id={PANEL}
        {...(tabs.length > 1 && { role: "tabpanel", "aria-labelledby": tabId(PANEL, active.id) })}
        className={`grid min-w-0 gap-3 lg:mx-auto lg:w-full ${isWide ? "max-w-xl" : "lg:max-w-88"}`}
      >
        <TargetPreview target={target} />
        <ul className="grid gap-1 text-sm text-warn empty:hidden">
          {[...new Set([...remarksOn(target), ...warnings])].map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      </div>
    </>
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

function remarksOn({ network, posts, isJoined }: Target): string[] {
  return [
    ...(isJoined ? [composeWords.becomesOneText(network.name)] : []),
    ...(posts.some(({ dropsText }) => dropsText) ? [composeWords.showsNoText(network.name)] : []),
  ];
}
