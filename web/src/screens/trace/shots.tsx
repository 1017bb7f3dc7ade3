// The screenshots before and after a moment. The target is outlined on the one before.

import { useEffect, useRef, useState } from "preact/hooks";
import { pictureUrl } from "../../api/client";
import type { ElementBox, MomentRow, ScreenshotInfo } from "../../api/generated";

export function Shots({ moment }: { moment: MomentRow }) {
  const { before, after, command } = moment;
  const box = command?.box ?? undefined;
  const both = command && after && before?.image.hash !== after.image.hash;
  if (!before && !after) return <p class="quiet">No picture of this moment.</p>;
  return (
    <div class={`shots ${both ? "two" : ""}`}>
      {command ? (
        <>
          {before && (
            <Shot
              info={before}
              name={both ? "Before" : "Before and after"}
              box={box}
              target={command.element ?? "the target"}
            />
          )}
          {after && (both || !before) && <Shot info={after} name="After" />}
        </>
      ) : (
        <Shot info={(after ?? before)!} name="The page at that time" />
      )}
    </div>
  );
}

function Shot({ info, name, box, target }: { info: ScreenshotInfo; name: string; box?: ElementBox; target?: string }) {
  const [large, setLarge] = useState(false);
  const [gone, setGone] = useState(false);
  const url = pictureUrl(info.image.hash);
  useEffect(() => setGone(false), [url]);
  const shown = box && isIn(box);
  const alt = `${name}: the page ${name === "After" ? "after" : "at"} “${info.actionType}”${shown ? `, ${target} outlined` : ""}`;
  return (
    <figure class="shot">
      <figcaption>
        {name}
        {box && !shown && `; ${target} was outside of the picture, and was scrolled to`}
      </figcaption>
      {gone ? (
        <p class="blank">The screenshot is no longer available.</p>
      ) : (
        <button type="button" class="enlarge" aria-label={`Enlarge. ${alt}`} onClick={() => setLarge(true)}>
          <img src={url} width={info.width} height={info.height} alt="" onError={() => setGone(true)} />
          {shown && <Outline box={box} />}
        </button>
      )}
      {large && <Large url={url} alt={alt} onClose={() => setLarge(false)} />}
    </figure>
  );
}

/** Whether some of it is in the view that the picture shows. */
const isIn = ({ x, y, width, height, view }: ElementBox) =>
  x < view[0]! && y < view[1]! && x + width > 0 && y + height > 0;

/** Drawn in CSS pixels of the page, because the screenshot may be smaller. */
function Outline({ box }: { box: ElementBox }) {
  const [width, height] = box.view as [number, number];
  return (
    <svg class="outline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <rect x={box.x - 4} y={box.y - 4} width={box.width + 8} height={box.height + 8} rx={6} />
    </svg>
  );
}

function Large({ url, alt, onClose }: { url: string; alt: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="large" aria-label={alt} onClose={onClose} onClick={() => dialog.current?.close()}>
      <img src={url} alt={alt} />
      <button type="button" autofocus>
        Close
      </button>
    </dialog>
  );
}
