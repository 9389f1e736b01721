import { useState } from 'react';
import {
  REPORT_FORMATS,
  type ReportFormat,
  type RunReport,
} from '../../../src-main/contract/index.ts';
import { errorFacts } from '../../api/call-error.ts';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { useServices } from '../../services.ts';
import { runText } from '../../text/en/run.ts';
import { visibleLine } from '../../visible.ts';

export interface RunActionsProps {
  report: RunReport;
  /** The run it is compared with, for the report. */
  compared: string | null;
}

/** Stops what runs here, goes on with what is left, and gives the report as a file. */
export function RunActions({ report, compared }: RunActionsProps) {
  const { actions: words } = runText;
  const { runId: run, state, cells } = report.summary;
  const notices = useServices().notices;
  const onError = (error: unknown) => {
    const { message, next } = errorFacts(error);
    notices.tell({ tone: 'bad', text: `${message} ${next}`.trim() });
  };
  const stop = useAction('evaluation/stop', ['evaluation/run', 'evaluation/runs']);
  const resume = useAction('evaluation/resume', ['evaluation/run', 'evaluation/runs']);
  const isLeft = cells.graded + cells.infra < cells.total || cells.infra > 0;
  return (
    <>
      {report.stoppable && (
        <Button
          icon="stop"
          busy={stop.isPending ? words.stopping : null}
          onPress={() => stop.mutate({ run }, { onError })}
        >
          {words.stop}
        </Button>
      )}
      {state !== 'running' && isLeft && (
        <Button
          icon="play"
          busy={resume.isPending ? words.resuming : null}
          onPress={() => resume.mutate({ run, retryInfra: true }, { onError })}
        >
          {words.resume}
        </Button>
      )}
      <ReportMenu run={run} compared={compared} onError={onError} />
    </>
  );
}

interface ReportMenuProps {
  run: string;
  compared: string | null;
  onError: (error: unknown) => void;
}

function ReportMenu({ run, compared, onError }: ReportMenuProps) {
  const { actions: words } = runText;
  const { client, platform, notices } = useServices();
  const [busy, setBusy] = useState(false);
  const save = async (format: ReportFormat) => {
    setBusy(true);
    try {
      const input = { run, format, ...(compared === null ? {} : { with: compared }) };
      const file = await client.call('evaluation/report', input);
      await platform.saveFile?.(file.name, bytesOf(file.base64));
      notices.tell({ tone: 'ok', text: words.saved(visibleLine(file.name)) });
    } catch (error) {
      onError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      label={words.reportLabel}
      trigger={
        <Button icon="download" isDisabled={busy}>
          {words.report}
        </Button>
      }
      entries={REPORT_FORMATS.map((format) => ({
        id: format,
        label: words.formats[format],
        detail: words.formatDetails[format],
        onAction: () => void save(format),
      }))}
    />
  );
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
