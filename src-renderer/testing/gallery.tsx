/** All components on one page, for eyes and for axe. Built by the smoke test only. */
import '../no-eval.ts';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CallError } from '../api/call-error.ts';
import { Button, IconButton, ToggleButton } from '../components/button.tsx';
import { Bars, Sparkline } from '../components/chart/sparkline.tsx';
import { CodeBlock } from '../components/code/code-block.tsx';
import { TerminalBlock } from '../components/code/terminal-block.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { KeyValue } from '../components/key-value.tsx';
import { Menu } from '../components/menu.tsx';
import { Banner, ErrorNote, Loading } from '../components/notes.tsx';
import { NumberField } from '../components/number-field.tsx';
import { Page, Section } from '../components/page.tsx';
import { Pill } from '../components/pill.tsx';
import { PlainText } from '../components/plain-text.tsx';
import { PartsBar, Progress } from '../components/progress.tsx';
import { ComboBox, Select } from '../components/select.tsx';
import { SplitPane } from '../components/split-pane.tsx';
import { type StateKind, StateMark, type StateOf } from '../components/state-mark.tsx';
import { SearchField, TextArea, TextField } from '../components/text-field.tsx';
import { Checkbox, Switch } from '../components/toggles.tsx';
import { formatSize } from '../format.ts';
import { statesText } from '../text/en/states.ts';
import '../styles/tokens.css';
import '../styles/global.css';
import styles from './gallery.module.css';
import { Side } from './gallery-side.tsx';

const GIB = 2 ** 30;

function Gallery() {
  return (
    <main className={styles.all}>
      <SplitPane
        name="gallery"
        main={
          <Page title="Components" facts={<Facts />} actions={<Actions />} body="prose">
            <States />
            <Fields />
            <Code />
          </Page>
        }
        side={<Side />}
      />
    </main>
  );
}

function Facts() {
  return (
    <KeyValue
      row
      facts={[
        { key: 'step', value: '12 of 150' },
        { key: 'context', value: '18.4K of 131K' },
        { key: 'cached', value: '96 %' },
      ]}
    />
  );
}

function Actions() {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <ToggleButton keys="f" defaultSelected>
        Follow
      </ToggleButton>
      <Button icon="stop">Stop</Button>
      <Button variant="danger" onPress={() => setAsked(true)}>
        Delete…
      </Button>
      <Button variant="primary" icon="download">
        Export…
      </Button>
      <Button variant="primary" isDisabled>
        Export…
      </Button>
      <Button busy="Exporting…">Export…</Button>
      <Menu
        label="More"
        trigger={<IconButton icon="more" label="More actions" />}
        entries={[
          { id: 'a', label: 'Run again…', icon: 'retry', keys: 'shift+n', onAction: () => {} },
          'separator',
          {
            id: 'b',
            label: 'Delete',
            icon: 'trash',
            danger: true,
            detail: 'Cannot be taken back',
            onAction: () => {},
          },
        ]}
      />
      <ConfirmDialog
        title="Delete the model?"
        isOpen={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => setAsked(false)}
        confirm="Delete the model"
        danger
      >
        8.0 GiB are freed. This cannot be taken back.
      </ConfirmDialog>
    </>
  );
}

function States() {
  return (
    <Section title="States">
      {(Object.keys(statesText) as StateKind[]).map((kind) => (
        <div key={kind} className={styles.row}>
          {(Object.keys(statesText[kind]) as Array<StateOf<typeof kind>>).map((state) => (
            <StateMark key={state} kind={kind} state={state} />
          ))}
        </div>
      ))}
      <div className={styles.row}>
        <Pill>plain</Pill>
        <Pill tone="ok">verified 52/52</Pill>
        <Pill tone="warn">⚑ test</Pill>
        <Pill tone="bad">exit 1</Pill>
        <Pill tone="info">new</Pill>
      </div>
      <Progress words="Copying weights" share={0.62} figures="5.0 of 8.0 GiB" />
      <Progress words="Hashing" share={null} />
      <PartsBar
        label="Memory"
        whole={24 * GIB}
        format={formatSize}
        parts={[
          { id: 'w', words: 'weights', value: 8 * GIB, colour: 1 },
          { id: 'k', words: 'conversation', value: 6 * GIB, colour: 2 },
          { id: 'o', words: 'overhead', value: GIB, colour: 3 },
        ]}
      />
      <Banner tone="warn">
        tests/test_interest.py changes a test. Verification will run the original.
      </Banner>
      <ErrorNote
        error={
          new CallError(
            'docker_not_running',
            'Docker does not answer at /var/run/docker.sock',
            'Start it: `sudo systemctl start docker`',
          )
        }
        onRetry={() => {}}
      />
      <Loading>Reading the record…</Loading>
    </Section>
  );
}

function Fields() {
  const [chosen, setChosen] = useState<'leaf' | 'r2egym'>('leaf');
  const [command, setCommand] = useState('python3 -m pytest -q');
  const [steps, setSteps] = useState<number | null>(150);
  return (
    <Section title="Fields">
      <div className={styles.grid}>
        <TextField
          label="Repository"
          defaultValue="/home/ada/src/ledger"
          hint="Only read, never written."
        />
        <TextField label="Name" defaultValue="a b" error="A name has no spaces." />
        <Select
          label="Scaffold"
          value={chosen}
          onChange={setChosen}
          options={[
            { id: 'leaf', label: 'leaf' },
            { id: 'r2egym', label: 'r2egym' },
          ]}
        />
        <ComboBox
          label="Verify command"
          code
          value={command}
          onChange={setCommand}
          options={[{ id: 'p', label: 'python3 -m pytest -q', detail: 'from pytest.ini' }]}
        />
        <NumberField label="Steps" value={steps} onChange={setSteps} minValue={1} unit="steps" />
        <SearchField label="Search the sessions" defaultValue="leap" />
        <Checkbox defaultSelected>Protect test files</Checkbox>
        <Switch defaultSelected>Tell me when a session ends</Switch>
      </div>
      <TextArea label="Issue" placeholder="Paste the issue or a traceback" rows={3} />
    </Section>
  );
}

function Code() {
  return (
    <Section title="Code">
      <TerminalBlock
        command="python3 -m pytest -q tests/test_interest.py"
        exitCode={1}
        durationMs={1_900}
        outputs={[
          {
            stream: 'out',
            text: "tests/test_interest.py F.....   [100%]\nE   assert Decimal('365.00') == Decimal('366.00')\n\u001b[31m1 failed\u001b[0m, 5 passed",
          },
          {
            stream: 'err',
            text: 'a hidden \u202Etxet\u202C and a bell\u0007',
            omittedBytes: 4_096,
          },
        ]}
      />
      <CodeBlock
        language="python"
        firstLine={18}
        text={
          'import calendar\n\ndef days_in_year(day: date) -> int:\n    """Days of its year."""\n    return 366 if calendar.isleap(day.year) else 365\n'
        }
      />
      <PlainText
        text={
          'Leap years lose a day:\n\n```py\nassert days(2024) == 366\n```\nNothing <b>here</b> is HTML.'
        }
      />
      <div className={styles.row}>
        <CopyButton text="git apply fix.patch" label="Copy git apply" />
        <Sparkline label="Memory rises" values={[3, 4, 4, 5, null, 6, 7]} />
        <Bars
          label="Time by step"
          bars={[
            [3, 1],
            [4, 2],
            [2, 2],
          ]}
          colours={[1, 2]}
        />
      </div>
    </Section>
  );
}

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root');
const contrast = location.hash === '#contrast';
if (contrast) document.documentElement.dataset['contrast'] = '';
createRoot(root).render(<Gallery />);
