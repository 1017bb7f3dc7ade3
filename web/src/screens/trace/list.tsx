// The moments of a trace as a list: one stop of the Tab key, arrow keys within it, and the selected moment stays
// visible.

import { useEffect, useRef } from "preact/hooks";
import type { MomentRow } from "../../api/generated";
import { took } from "../../ui/format";

interface MomentListProps {
  moments: MomentRow[];
  chosen: number;
  onChoose(index: number): void;
}

const SIGNS: Record<MomentRow["kind"], string> = {
  action: "▸",
  model: "✦",
  thought: "…",
  question: "?",
  error: "✗",
  warning: "!",
  end: "■",
};
const NAMES: Record<MomentRow["kind"], string> = {
  action: "Action",
  model: "Model",
  thought: "Thought",
  question: "Question",
  error: "Error",
  warning: "Warning",
  end: "End of a step",
};

export function MomentList({ moments, chosen, onChoose }: MomentListProps) {
  const list = useRef<HTMLUListElement>(null);
  const byKey = useRef(false);
  useEffect(() => {
    const item = list.current?.children[chosen] as HTMLElement | undefined;
    const box = list.current;
    if (!item || !box) return;
    // scrollIntoView is not used here, because it would scroll the whole page as well.
    if (item.offsetTop < box.scrollTop) box.scrollTop = item.offsetTop;
    else if (item.offsetTop + item.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = item.offsetTop + item.offsetHeight - box.clientHeight;
    if (byKey.current) item.focus({ preventScroll: true });
    byKey.current = false;
  }, [chosen]);

  const key = (event: KeyboardEvent) => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: moments.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    byKey.current = true;
    onChoose(to);
  };
  return (
    <ul class="moments" ref={list} role="listbox" aria-label="Moments" onKeyDown={key}>
      {moments.map((moment, at) => (
        <li
          key={moment.seq}
          role="option"
          aria-selected={at === chosen}
          tabIndex={at === chosen ? 0 : -1}
          class={`moment ${moment.tone} of-${moment.kind}`}
          onClick={() => onChoose(at)}
        >
          <span class="sign" aria-hidden="true" title={NAMES[moment.kind]}>
            {moment.result?.verdict.sign ?? SIGNS[moment.kind]}
          </span>
          <span class="words">
            <span class="unseen">{NAMES[moment.kind]}: </span>
            {moment.title}
          </span>
          <span class="time">{moment.took == null ? "" : took(moment.took)}</span>
        </li>
      ))}
    </ul>
  );
}
