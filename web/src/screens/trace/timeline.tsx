// The timeline: screenshots, steps as bands, moments as marks, and a slider above them. The user can drag the slider;
// the arrow keys move from moment to moment, Page Up and Page Down from step to step.

import { useRef } from "preact/hooks";
import { thumbnailUrl } from "../../api/client";
import type { MomentRow, PictureRow } from "../../api/generated";
import type { View } from "../../record/view";
import { took } from "../../ui/format";

interface TimelineProps {
  view: View;
  moments: MomentRow[];
  chosen: number;
  onChoose(index: number): void;
}

const WIDTH = 1000;
const STRIP = 10;

export function Timeline({ view, moments, chosen, onChoose }: TimelineProps) {
  const track = useRef<HTMLDivElement>(null);
  const length = Math.max(1, Date.parse(view.progress.last) - Date.parse(view.run.began));
  const x = (time: number) => (Math.min(time, length) / length) * WIDTH;
  const moment = moments[chosen]!;

  const scrub = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const to = momentAt(moments, part * length);
    if (to !== chosen) onChoose(to);
  };
  const toStep = (by: 1 | -1) => {
    const rest = by > 0 ? moments.slice(chosen + 1) : moments.slice(0, chosen).reverse();
    const next = rest.find((one) => one.step != null && one.step !== moment.step);
    if (next) onChoose(moments.indexOf(next));
  };
  const key = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => onChoose(chosen - 1),
      ArrowDown: () => onChoose(chosen - 1),
      ArrowRight: () => onChoose(chosen + 1),
      ArrowUp: () => onChoose(chosen + 1),
      Home: () => onChoose(0),
      End: () => onChoose(moments.length - 1),
      PageUp: () => toStep(-1),
      PageDown: () => toStep(1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <section class="timeline" aria-label="Timeline">
      <div
        ref={track}
        class="track"
        role="slider"
        tabIndex={0}
        aria-label="Moment of the run"
        aria-valuemin={1}
        aria-valuemax={moments.length}
        aria-valuenow={chosen + 1}
        aria-valuetext={`${took(moment.from)}: ${moment.title}`}
        onKeyDown={key}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          scrub(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
        }}
      >
        <Strip pictures={[...view.pictures.values()]} length={length} />
        <svg viewBox={`0 0 ${WIDTH} 40`} preserveAspectRatio="none" aria-hidden="true">
          {[...view.bands.values()].map(({ from, to, tone }, at) => (
            <rect
              class={`band ${tone} ${at % 2 ? "odd" : ""}`}
              x={x(from)}
              y={0}
              width={Math.max(1, x(to ?? length) - x(from))}
              height={12}
            />
          ))}
          {moments.map((one, at) => (
            <rect
              class={`mark ${one.tone} of-${one.kind} ${at === chosen ? "chosen" : ""}`}
              x={x(one.from)}
              y={16}
              width={Math.max(2, x(one.to) - x(one.from))}
              height={20}
            />
          ))}
          <rect class="head-line" x={x(moment.from)} y={0} width={2} height={40} />
        </svg>
      </div>
      <div class="ticks" aria-hidden="true">
        <span>0</span>
        <span>{took(length / 2)}</span>
        <span>{took(length)}</span>
      </div>
    </section>
  );
}

/** The last moment that began before a point in time. */
function momentAt(moments: MomentRow[], time: number): number {
  let found = 0;
  moments.forEach((moment, index) => {
    if (moment.from <= time && moment.from >= moments[found]!.from) found = index;
  });
  return found;
}

/** Small screenshots at equal distances: at each position the newest one until then. */
function Strip({ pictures, length }: { pictures: PictureRow[]; length: number }) {
  if (!pictures.length) return null;
  pictures.sort((a, b) => a.at - b.at);
  const shown = Array.from({ length: STRIP }, (_, at) => {
    const time = ((at + 1) / STRIP) * length;
    return pictures.findLast((picture) => picture.at <= time);
  });
  return (
    <div class="strip" aria-hidden="true">
      {shown.map((one) => (one ? <img src={thumbnailUrl(one.hash)} alt="" loading="lazy" draggable={false} /> : <i />))}
    </div>
  );
}
