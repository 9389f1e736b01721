export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the window was last. */
export interface WindowPlace extends Bounds {
  maximized: boolean;
}

const USUAL = { width: 1280, height: 800 } as const;

/** As much of the title has to be seen for a person to take hold of it. */
const GRIP = { width: 120, height: 32 } as const;

/**
 * Where to open the window: where it was if that can still be seen, else in the middle of the first
 * screen, and never larger than its screen. Pure; `screens` are the work areas, the first one's first.
 */
export function placeWindow(last: Bounds | undefined, screens: readonly Bounds[]): Bounds {
  const [first = { x: 0, y: 0, ...USUAL }] = screens;
  const screen = last && screens.find((area) => isGripped(last, area));
  if (last !== undefined && screen !== undefined) {
    return { ...last, ...fit(last, screen) };
  }
  const { width, height } = fit(last ?? USUAL, first);
  return {
    x: first.x + Math.round((first.width - width) / 2),
    y: first.y + Math.round((first.height - height) / 2),
    width,
    height,
  };
}

function fit(size: { width: number; height: number }, screen: Bounds) {
  return {
    width: Math.min(size.width, screen.width),
    height: Math.min(size.height, screen.height),
  };
}

/** Whether enough of the title bar is on a screen. */
function isGripped(window: Bounds, screen: Bounds): boolean {
  const left = Math.max(window.x, screen.x);
  const right = Math.min(window.x + window.width, screen.x + screen.width);
  return (
    right - left >= GRIP.width &&
    window.y >= screen.y &&
    window.y + GRIP.height <= screen.y + screen.height
  );
}
