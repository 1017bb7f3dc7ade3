// The page before and after a moment. The journal does not tell where on it the target stood, so that it is named and
// not outlined.

import { useEffect, useRef, useState } from "preact/hooks";
import { pictureUrl } from "../../api/client";
import type { ScreenshotInfo } from "../../protocol/generated";
import type { Moment } from "../../record/moments";

export function Shots({ moment }: { moment: Moment }) {
  const { before, after, command } = moment;
  const both = command && after && before?.image.hash !== after.image.hash;
  if (!before && !after) return <p class="quiet">No picture of this moment.</p>;
  return (
    <div class={`shots ${both ? "two" : ""}`}>
      {command ? (
        <>
          {before && <Shot info={before} name={both ? "Before" : "Before and after"} />}
          {after && (both || !before) && <Shot info={after} name="After" />}
        </>
      ) : (
        <Shot info={(after ?? before)!} name="The page then" />
      )}
    </div>
  );
}

function Shot({ info, name }: { info: ScreenshotInfo; name: string }) {
  const [large, setLarge] = useState(false);
  const [gone, setGone] = useState(false);
  const url = pictureUrl(info.image.hash);
  useEffect(() => setGone(false), [url]);
  const alt = `${name}: the page ${name === "After" ? "after" : "at"} “${info.actionType}”`;
  return (
    <figure class="shot">
      <figcaption>{name}</figcaption>
      {gone ? (
        <p class="blank">The picture is not here any more.</p>
      ) : (
        <button type="button" class="enlarge" aria-label={`Enlarge. ${alt}`} onClick={() => setLarge(true)}>
          <img src={url} width={info.width} height={info.height} alt="" onError={() => setGone(true)} />
        </button>
      )}
      {large && <Large url={url} alt={alt} onClose={() => setLarge(false)} />}
    </figure>
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
