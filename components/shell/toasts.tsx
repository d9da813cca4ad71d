"use client";
import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { wanted } from "../ui/toast";

const ToastRegion = dynamic(() => import("./toast-region").then(({ ToastRegion }) => ToastRegion), { ssr: false });

/** Short words about what was just done, from the first one on. */
export function Toasts() {
  return useSyncExternalStore(wanted.subscribe, wanted.get, () => false) && <ToastRegion />;
}
