// Tabs according to the ARIA practices: one stop of the Tab key, left and right within it.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface TabsProps {
  label: string;
  tabs: { id: string; name: string }[];
  shown: string;
  onShow(id: string): void;
}

export function Tabs({ label, tabs, shown, onShow }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex((tab) => tab.id === shown);
  const key = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    onShow(tabs[index]!.id);
    (list.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={key}>
      {tabs.map((tab) => (
        <button
          type="button"
          role="tab"
          id={`tab-${tab.id}`}
          aria-selected={tab.id === shown}
          aria-controls={tab.id === shown ? `panel-${tab.id}` : undefined}
          tabIndex={tab.id === shown ? 0 : -1}
          onClick={() => onShow(tab.id)}
        >
          {tab.name}
        </button>
      ))}
    </div>
  );
}

export function TabPanel({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} tabIndex={0}>
      {children}
    </div>
  );
}
