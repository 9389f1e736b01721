import uPlot from 'uplot';
import {
  BINARY_STEPS,
  CLOCK_STEPS,
  ELAPSED_STEPS,
  elapsedLabel,
  elapsedTicks,
  spanAt,
  tickLabel,
} from './axis.ts';
import type { ChartSeries, ChartSpan, TimeChartProps } from './types.ts';

/** Room for the figures at the left and for the last one of time, in rem. `.lane` keeps the same. */
const AXIS_REM = 4.5;
const END_REM = 0.5;
const THIN = 1;
const THICK = 1.6;

/**
 * Options of a chart in the colours and sizes that hold now. `props` gives the newest ones: what is
 * pointed at and ranges change without a new canvas.
 */
export function plotOptions(element: HTMLElement, props: () => TimeChartProps): uPlot.Options {
  const { series, sync, max, limit, ticks, spans } = props();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const colour = colourReader(element);
  // Read once: each look at a colour has the browser work out the styles of the page.
  const colours = {
    band: colour('--accent-soft'),
    mark: colour('--line-strong'),
    limit: colour('--bad'),
  };
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--chart-grid'), width: THIN },
    ticks: { show: false },
    font: `${rem * 0.6875}px ${getComputedStyle(element).fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    padding: [rem * 0.5, rem * END_REM, 0, 0],
    cursor: {
      drag: { x: false, y: false },
      y: false,
      // Where stretches of time are pointed at, figures belong to their ends.
      points: spans === undefined ? { size: 5 } : { show: false },
      ...(sync === undefined ? {} : { sync: { key: sync } }),
    },
    scales: {
      x: { time: true, range: (_plot, from, to) => xRange(props(), from, to) },
      y: {
        range: (_plot, _from, to) => [
          0,
          Math.max(max ?? 0, to ?? 0, limit?.value ?? 0) * 1.05 || 1,
        ],
      },
    },
    axes: [
      { ...axis, size: rem * 1.5, space: rem * 3.5, ...timeAxis(props) },
      {
        ...axis,
        size: rem * AXIS_REM,
        space: rem * 2,
        ...(ticks === 'binary' ? { incrs: BINARY_STEPS } : {}),
        values: (_plot, at) => at.map((tick) => tickLabel(props().format(tick), tick)),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, colour))],
    hooks: {
      drawClear: [(plot) => drawShown(plot, props(), colours)],
      draw: [(plot) => drawLimit(plot, props(), colours)],
      setCursor: [(plot) => props().onPoint?.(pointedAt(plot, props()))],
      ready: [(plot) => listenForPress(plot, props)],
    },
  };
}

/** What the pointer of this chart, or of one with the same `sync`, is at. */
function pointedAt(plot: uPlot, { spans = [] }: TimeChartProps): ChartSpan | null {
  const { left } = plot.cursor;
  if (left === undefined || left === null || left < 0) return null;
  return spanAt(spans, plot.posToVal(left, 'x') * 1000);
}

function listenForPress(plot: uPlot, props: () => TimeChartProps): void {
  plot.over.addEventListener('click', () => {
    const span = pointedAt(plot, props());
    if (span !== null) props().onPress?.(span);
  });
}

/** Counted from the start of what is shown, or by the clock. */
function timeAxis(props: () => TimeChartProps): Partial<uPlot.Axis> {
  const { zero } = props();
  if (zero === undefined) {
    return { incrs: CLOCK_STEPS, values: (_plot, ticks) => ticks.map(clockLabel) };
  }
  const start = zero / 1000;
  return {
    incrs: ELAPSED_STEPS,
    splits: (_plot, _axis, from, to, step) => elapsedTicks(start, from, to, step),
    values: (_plot, ticks, _axis, _space, step) =>
      ticks.map((tick) => elapsedLabel(tick - start, step)),
  };
}

function clockLabel(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

function seriesOptions(series: ChartSeries, colour: (token: string) => string): uPlot.Series {
  const stroke = colour(`--chart-${series.colour}`);
  const path =
    series.kind === 'step'
      ? uPlot.paths.stepped?.({ align: 1 })
      : series.kind === 'bars'
        ? uPlot.paths.bars?.({ size: [0.7, 40] })
        : undefined;
  return {
    label: series.label,
    stroke,
    width: THICK,
    points: { show: false },
    ...(series.dashed === true ? { dash: [5, 4] } : {}),
    ...(series.kind === 'area' || series.kind === 'bars' ? { fill: faded(stroke) } : {}),
    ...(path === undefined ? {} : { paths: path }),
  };
}

function xRange({ range }: TimeChartProps, from: number, to: number): [number, number] {
  if (range !== undefined) return [range[0] / 1000, range[1] / 1000];
  return from === to ? [from - 1, to + 1] : [from, to];
}

/** A band behind the lines: the stretch of time that is pointed at. */
function drawShown(
  plot: uPlot,
  { shown }: TimeChartProps,
  colours: { band: string; mark: string },
): void {
  if (shown === null || shown === undefined) return;
  const { ctx, bbox } = plot;
  const [from, to] = [shown.from, shown.to].map((at) => plot.valToPos(at / 1000, 'x', true));
  if (from === undefined || to === undefined) return;
  ctx.save();
  ctx.fillStyle = colours.band;
  ctx.fillRect(from, bbox.top, Math.max(to - from, LEAST_BAND), bbox.height);
  ctx.fillStyle = colours.mark;
  ctx.fillRect(Math.max(from, to - THIN), bbox.top, THIN, bbox.height);
  ctx.restore();
}

/** A step of a millisecond can be seen, too. */
const LEAST_BAND = 3;

function drawLimit(plot: uPlot, { limit }: TimeChartProps, colours: { limit: string }): void {
  if (limit === undefined) return;
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(limit.value, 'y', true));
  ctx.save();
  ctx.lineWidth = THIN;
  ctx.strokeStyle = colours.limit;
  ctx.setLineDash([6, 4]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

/** Reads a token as the canvas needs it: `light-dark()` is only resolved where a colour is used. */
function colourReader(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('span');
    // Lines are told apart by their colours also where the system has its own.
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.color = `var(${token})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function faded(colour: string): string {
  return colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.16)');
}
