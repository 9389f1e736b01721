import { EXIT_REASONS, type EventBody } from '../../../contract/index.ts';
import { formatChange, plural } from './format.ts';
import { oneLine } from './safe-text.ts';
import { stepLines } from './step-line.ts';

/** What an event that was just stored tells people who watch, line by line; often nothing. */
export function eventLines(attempt: number, body: EventBody): string[] {
  const mark = `[${attempt}]`;
  switch (body.type) {
    case 'attempt.started': {
      const from = body.resumedFromStep;
      const how = from === null ? 'begins' : `goes on after step ${from}`;
      return [`${mark} attempt ${attempt} ${how} (seed ${body.seed})`];
    }
    case 'step.finished':
      return stepLines(attempt, body);
    case 'attempt.finished': {
      const detail = body.detail === null ? '' : ` (${oneLine(body.detail)})`;
      const reason = EXIT_REASONS[body.exitReason];
      return [`${mark} ended after ${plural(body.steps, 'step')}: ${reason}${detail}`];
    }
    case 'patch.made':
      return [
        body.blob === null
          ? `${mark} nothing was changed`
          : `${mark} patch: ${formatChange(body)} in ${plural(body.files.length, 'file')}`,
      ];
    case 'verification.finished':
      return [`${mark} ${oneLine(body.result.summary)}`];
    case 'grading.finished':
      return [`${mark} ${body.again ? 'graded again: ' : ''}${oneLine(body.result.summary)}`];
    case 'cell.labelled':
      return [
        body.label === null
          ? 'its label was taken back'
          : `labelled ${oneLine(body.label)}${body.note === '' ? '' : `: ${oneLine(body.note)}`}`,
      ];
    case 'note':
      return [`${attempt === 0 ? '' : `${mark} `}${body.level}: ${oneLine(body.text)}`];
    case 'session.created':
    case 'snapshot.taken':
    case 'workspace.opened':
    case 'attempt.opened':
    case 'patch.exported':
    case 'review.decided':
    case 'review.noted':
    case 'review.noteRemoved':
    case 'session.interrupted':
    case 'session.finished':
    case 'cell.analysed':
    case 'run.created':
    case 'run.resumed':
    case 'run.finished':
      return [];
  }
}
