import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

/** A hint to something that takes focus; nothing may be said only here. */
export function Tooltip(props: { text: string; keys?: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={500} closeDelay={60}>
      {props.children}
      <AriaTooltip className={styles.tooltip ?? ''} offset={6}>
        {props.text}
        {props.keys !== undefined && <Kbd keys={props.keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
