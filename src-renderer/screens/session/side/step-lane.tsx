import type { MouseEvent } from 'react';
import { spanAt } from '../../../components/chart/axis.ts';
import type { ChartSpan } from '../../../components/chart/types.ts';
import type { AttemptSeries } from '../record/series.ts';
import styles from './step-lane.module.css';

export interface StepLaneProps {
  series: AttemptSeries;
  range: readonly [from: number, to: number];
  shown: ChartSpan | null;
  onPoint: (span: ChartSpan | null) => void;
  onPress: (span: ChartSpan) => void;
}

/** A number needs about this share of the width for each of its digits. */
const DIGIT_SHARE = 0.022;

/**
 * The steps on the axis of the charts below, each split into the model's time, the tools' and our
 * own. Parts differ in height as well as in colour. A picture: the table has the same figures.
 */
export function StepLane({ series, range, shown, onPoint, onPress }: StepLaneProps) {
  const [start, end] = range;
  const share = (ms: number) => `${(ms / (end - start)) * 100}%`;
  const pointed = ({ clientX, currentTarget }: MouseEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return spanAt(series.spans, start + ((clientX - left) / width) * (end - start));
  };
  return (
    <div className={styles.lane} aria-hidden="true">
      {/* For the pointer alone: keys and the links of the timeline lead to each step, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <svg
        className={styles.steps}
        onPointerMove={(event) => onPoint(pointed(event))}
        onPointerLeave={() => onPoint(null)}
        onClick={(event) => {
          const span = pointed(event);
          if (span !== null) onPress(span);
        }}
      >
        {series.spans.map((span, index) => (
          <Step
            key={`${span.id} ${span.from}`}
            span={span}
            parts={partsOf(series, index)}
            x={(at) => share(at - start)}
            width={share}
            named={(span.to - span.from) / (end - start) > String(span.id).length * DIGIT_SHARE}
          />
        ))}
        {shown !== null && (
          <rect
            className={styles.shown}
            x={share(shown.from - start)}
            width={share(shown.to - shown.from)}
            y="0"
            height="100%"
          />
        )}
      </svg>
    </div>
  );
}

interface StepProps {
  span: ChartSpan;
  /** Milliseconds of model, tools and ourselves. */
  parts: number[];
  x: (at: number) => string;
  width: (ms: number) => string;
  named: boolean;
}

function Step({ span, parts, x, width, named }: StepProps) {
  const starts = parts.map((_, part) =>
    parts.slice(0, part).reduce((sum, ms) => sum + ms, span.from),
  );
  return (
    <g>
      {parts.map((ms, part) => (
        <rect
          // eslint-disable-next-line react/no-array-index-key -- a part is its place
          key={part}
          className={styles[PARTS[part] ?? 'own']}
          x={x(starts[part] ?? span.from)}
          width={width(ms)}
          y={`${part * 30}%`}
          height={`${100 - part * 30}%`}
        />
      ))}
      <rect className={styles.edge} x={x(span.from)} width="1" y="0" height="100%" />
      {named && (
        <text className={styles.name} x={x((span.from + span.to) / 2)} y="62%">
          {span.id}
        </text>
      )}
    </g>
  );
}

const PARTS = ['model', 'tools', 'own'] as const;

function partsOf({ seconds: { model, tools, own } }: AttemptSeries, index: number): number[] {
  return [model, tools, own].map((list) => (list[index] ?? 0) * 1000);
}
