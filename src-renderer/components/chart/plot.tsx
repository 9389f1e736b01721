import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useNewest } from '../../use-newest.ts';
import { onThemeChange } from '../../styles/theme.ts';
import { plotOptions } from './plot-options.ts';
import styles from './time-chart.module.css';
import type { TimeChartProps } from './types.ts';

/** The canvas of a chart. Loaded with the first chart; what it shows is also told by the table. */
export default function Plot(props: TimeChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useNewest(props);
  // A new canvas where the make-up changes; new figures only go into the one there is.
  const makeUp = JSON.stringify([
    props.series.map(({ id, colour, kind, dashed }) => [id, colour, kind, dashed]),
    props.sync,
    props.heightRem,
    props.max,
    props.limit?.value,
    props.zero,
  ]);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const build = () => {
      plot.current?.destroy();
      plot.current = new uPlot(
        plotOptions(element, () => newest.current),
        dataOf(newest.current),
        element,
      );
    };
    build();
    const observer = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    const stopListening = onThemeChange(build);
    return () => {
      stopListening();
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
    // eslint-disable-next-line react/exhaustive-effect-dependencies -- `makeUp` stands for what `newest` holds then
  }, [makeUp, newest]);

  useEffect(() => {
    plot.current?.setData(dataOf(props));
  }, [props]);

  return (
    <div
      ref={host}
      className={styles.plot}
      style={{ height: `${props.heightRem ?? 7}rem` }}
      aria-hidden="true"
    />
  );
}

function dataOf({ times, series }: TimeChartProps): uPlot.AlignedData {
  // uPlot counts in seconds.
  return [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])];
}
