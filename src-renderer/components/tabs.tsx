import { type ReactNode, useEffect, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import styles from './tabs.module.css';

export interface TabEntry<Id extends string> {
  id: Id;
  label: string;
  /** A count or a mark beside the label. */
  extra?: ReactNode;
  render: () => ReactNode;
}

export interface TabsProps<Id extends string> {
  label: string;
  tabs: Array<TabEntry<Id>>;
  selected: Id;
  onSelect: (id: Id) => void;
  /** At the end of the row of tabs. */
  actions?: ReactNode;
}

/** Only the selected panel is drawn; what it holds starts anew when it is selected again. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const { selected } = props;
  useEffect(() => {
    // A key may have chosen one that the width hides.
    const tab = list.current?.querySelector(`[data-key="${selected}"]`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  return (
    <AriaTabs
      className={styles.tabs ?? ''}
      selectedKey={props.selected}
      onSelectionChange={(key) => {
        const tab = props.tabs.find(({ id }) => id === key);
        if (tab !== undefined && tab.id !== props.selected) props.onSelect(tab.id);
      }}
    >
      <div className={styles.bar}>
        <TabList ref={list} className={styles.list ?? ''} aria-label={props.label}>
          {props.tabs.map(({ id, label, extra }) => (
            <Tab key={id} id={id} className={styles.tab ?? ''}>
              {label}
              {extra !== undefined && <span className={styles.extra}>{extra}</span>}
            </Tab>
          ))}
        </TabList>
        {props.actions}
      </div>
      {props.tabs.map(({ id, render }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {id === props.selected ? render() : null}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
