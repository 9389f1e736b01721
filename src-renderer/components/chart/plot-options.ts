import uPlot from 'uplot';
import { unitsText } from '../../text/en/units.ts';
import type { ChartSeries, TimeChartProps } from './types.ts';

/** Room for the figures at the left, in rem. */
const AXIS_REM = 4.5;
/** Steps of an axis of bytes. */
const BINARY = Array.from({ length: 48 }, (_, power) => 2 ** power);
const THIN = 1;
const THICK = 1.6;

/**
 * Options of a chart in the colours and sizes that hold now. `props` gives the newest ones: marks and
 * ranges change without a new canvas.
 */
export function plotOptions(element: HTMLElement, props: () => TimeChartProps): uPlot.Options {
  const { series, sync, max, limit, ticks } = props();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const colour = colourReader(element);
  // Read once: each look at a colour has the browser work out the styles of the page.
  const lines = { mark: colour('--line-strong'), limit: colour('--bad') };
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
    padding: [rem * 0.5, rem * 0.5, 0, 0],
    cursor: {
      drag: { x: false, y: false },
      points: { size: 5 },
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
      {
        ...axis,
        size: rem * 1.5,
        values: (_plot, ticks) => ticks.map((tick) => timeLabel(tick, props().zero)),
      },
      {
        ...axis,
        size: rem * AXIS_REM,
        space: rem * 2,
        ...(ticks === 'binary' ? { incrs: BINARY } : {}),
        values: (_plot, ticks) => ticks.map((tick) => props().format(tick)),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, colour))],
    hooks: { draw: [(plot) => drawMarks(plot, props(), lines)] },
  };
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

/** Lines of the marks and of the limit; marks too close to each other keep only their lines. */
function drawMarks(
  plot: uPlot,
  { marks = [], limit }: TimeChartProps,
  colours: { mark: string; limit: string },
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = THIN;
  ctx.strokeStyle = colours.mark;
  ctx.setLineDash([2, 4]);
  ctx.beginPath();
  for (const { at } of marks) {
    const x = Math.round(plot.valToPos(at / 1000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  if (limit !== undefined) {
    const y = Math.round(plot.valToPos(limit.value, 'y', true));
    ctx.strokeStyle = colours.limit;
    ctx.setLineDash([6, 4]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

function timeLabel(seconds: number, zero: number | undefined): string {
  if (zero === undefined) {
    return new Date(seconds * 1000).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }
  const whole = Math.max(0, Math.round(seconds - zero / 1000));
  return whole < 60
    ? unitsText.seconds(String(whole))
    : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Reads a token as the canvas needs it: `light-dark()` is only resolved where a colour is used. */
function colourReader(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('span');
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
