import { Radio, RadioGroup } from 'react-aria-components';
import { useCall } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Section } from '../../components/page.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatPlace } from '../../navigation.ts';
import { settingsText } from '../../text/en/settings.ts';
import { Defaults } from './defaults.tsx';
import type { GeneralProps } from './general-props.ts';
import { Notifications } from './notifications.tsx';
import styles from './settings.module.css';

const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
const USUAL_ZOOM = 100;
const ZOOM_STEP = 10;
const [LEAST_ZOOM, MOST_ZOOM] = [60, 200];

export function GeneralTab(props: GeneralProps) {
  return (
    <div className={styles.tab}>
      <div className={styles.columns}>
        <div className={styles.parts}>
          <Look {...props} />
          <Notifications {...props} />
        </div>
        <div className={styles.parts}>
          <Defaults {...props} />
          <DataFolder />
        </div>
      </div>
    </div>
  );
}

function Look({ settings, onChange }: GeneralProps) {
  const text = settingsText.look;
  const zoomTo = (zoom: number) =>
    onChange({ zoom: Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, Math.round(zoom))) });
  return (
    <Section title={text.title}>
      <RadioGroup
        aria-label={text.theme}
        className={styles.themes ?? ''}
        value={settings.theme}
        onChange={(value) => {
          const theme = THEMES.find((one) => one === value);
          if (theme !== undefined) onChange({ theme });
        }}
      >
        {THEMES.map((theme) => (
          <Radio key={theme} value={theme} className={styles.theme ?? ''}>
            <span className={styles.preview} data-preview={theme} aria-hidden="true">
              <span />
              <span />
              <span />
            </span>
            <span>{text.themes[theme]}</span>
          </Radio>
        ))}
      </RadioGroup>
      <div className={styles.zoom}>
        <NumberField
          label={text.zoom}
          hint={text.zoomHint}
          unit={text.percent}
          minValue={LEAST_ZOOM}
          maxValue={MOST_ZOOM}
          step={ZOOM_STEP}
          value={settings.zoom}
          onChange={(zoom) => zoomTo(zoom ?? USUAL_ZOOM)}
        />
        <Button isDisabled={settings.zoom === USUAL_ZOOM} onPress={() => zoomTo(USUAL_ZOOM)}>
          {text.usual}
        </Button>
      </div>
    </Section>
  );
}

function DataFolder() {
  const { data } = useCall('about', {});
  const text = settingsText.folder;
  return (
    <Section
      title={text.title}
      actions={<a href={formatPlace({ screen: 'environment' })}>{text.use}</a>}
    >
      <p className={styles.soft}>{text.words}</p>
      {data !== undefined && (
        <p className={styles.path}>
          <code>
            <VisibleText text={data.home} />
          </code>
          <CopyButton text={data.home} />
        </p>
      )}
    </Section>
  );
}
