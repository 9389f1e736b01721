import type { ReactNode } from 'react';
import { NumberField } from '../../../components/number-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import type { Draft } from './draft.ts';

export interface MemberProps {
  draft: Draft;
  member: string;
  label: string;
  hint?: ReactNode;
}

/** A number of the profile; empty = `null`, whose meaning the placeholder says. */
export function NumberMember(
  props: MemberProps & {
    min?: number;
    max?: number;
    unit?: string;
    placeholder?: string;
    /** Parts of a whole number may be typed. */
    fraction?: boolean;
  },
) {
  const { draft, member, label, hint, min, max, unit, placeholder } = props;
  const value = draft.get(member);
  return (
    <NumberField
      label={label}
      hint={hint}
      value={typeof value === 'number' ? value : null}
      onChange={(next) => draft.set(member, next)}
      formatOptions={{ maximumFractionDigits: props.fraction === true ? 4 : 0 }}
      {...(props.fraction === true && onStep(value) ? { step: STEP } : {})}
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      {...(unit === undefined ? {} : { unit })}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  );
}

const STEP = 0.01;

/** The field would move a finer value to its nearest step, unasked. */
function onStep(value: unknown): boolean {
  if (typeof value !== 'number') return true;
  const steps = value / STEP;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

/** A word of the profile; empty = `null` where the member may be none. */
export function TextMember(
  props: MemberProps & { placeholder?: string; orNull?: boolean; code?: boolean },
) {
  const { draft, member, label, hint, placeholder, orNull = false } = props;
  const value = draft.get(member);
  return (
    <TextField
      code={props.code ?? false}
      label={label}
      hint={hint}
      value={typeof value === 'string' ? value : ''}
      onChange={(next) => draft.set(member, next === '' && orNull ? null : next)}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  );
}
