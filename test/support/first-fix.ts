/** What a new user does, from the empty list to an exported patch: once by mouse, once by keys alone. */
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { newFixText } from '../../src-renderer/text/en/new-fix.ts';
import { reviewText } from '../../src-renderer/text/en/review.ts';
import { sessionText } from '../../src-renderer/text/en/session.ts';
import { sessionsText } from '../../src-renderer/text/en/sessions.ts';
import { statesText } from '../../src-renderer/text/en/states.ts';

export interface Task {
  repository: string;
  issue: string;
  model: string;
  scaffold?: string;
  verify: string;
  attempts?: number;
  /** Folder for the export. */
  out: string;
}

/** A model on two busy cores takes its time. */
const FIXED_WITHIN_MS = 150_000;

/** Fields of the form in the order of Tab; those of the folded part come last. */
function fieldsOf(task: Task): Array<[label: string, text: string]> {
  const { repository, issue, model, verify, attempts, scaffold } = task;
  return [
    [newFixText.repository, repository],
    [newFixText.issue, issue],
    [newFixText.model, model],
    [newFixText.verify, verify],
    ...(attempts === undefined
      ? []
      : [[newFixText.attempts, String(attempts)] as [string, string]]),
    ...(scaffold === undefined ? [] : [[newFixText.scaffold, scaffold] as [string, string]]),
  ];
}

export interface Clicks {
  /** On buttons, links and rows. */
  buttons: number;
  /** Into fields, before typing. */
  fields: number;
}

/** @returns clicks it took; throws where a step cannot be done */
export async function firstFixByMouse(page: Page, task: Task): Promise<Clicks> {
  const clicks: Clicks = { buttons: 0, fields: 0 };
  const press = async (locator: Locator): Promise<void> => {
    await locator.click();
    clicks.buttons += 1;
  };
  await press(page.getByRole('main').getByText(sessionsText.empty.action));
  for (const [label, text] of fieldsOf(task)) {
    if (label === newFixText.scaffold) await press(page.getByText(newFixText.more));
    await field(page, label).click();
    clicks.fields += 1;
    await type(page, text);
    // Takes what was typed, and closes the proposals.
    await page.keyboard.press('Tab');
  }
  await page.getByText(newFixText.canStart).waitFor();
  await press(page.getByRole('button', { name: newFixText.start }));
  await verified(page);
  await press(page.getByRole('link', { name: sessionText.timeline.toReview }).first());
  await press(page.getByRole('button', { name: reviewText.export.button }).first());
  const dialog = page.getByRole('dialog');
  await downloadTo(page, task.out, () =>
    press(dialog.getByRole('button', { name: reviewText.export.download })),
  );
  return clicks;
}

/** The same without a mouse. @returns number of keys besides the text that was typed */
export async function firstFixByKeys(page: Page, task: Task): Promise<number> {
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    keys += 1;
  };
  const tabTo = async (locator: Locator): Promise<void> => {
    await locator.waitFor();
    for (let tries = 0; tries < 60; tries += 1) {
      if ((await locator.and(page.locator(':focus')).count()) > 0) return;
      await press('Tab');
    }
    throw new Error(`Tab does not reach ${String(locator)}`);
  };
  await page.getByText(sessionsText.empty.action).waitFor();
  await press('n');
  for (const [label, text] of fieldsOf(task)) {
    if (label === newFixText.scaffold) {
      const more = page.locator('summary').filter({ hasText: newFixText.more });
      await tabTo(more);
      await press('Enter');
    }
    await tabTo(field(page, label));
    await type(page, text);
  }
  await press('Tab');
  await page.getByText(newFixText.canStart).waitFor();
  await press('Control+Enter');
  await verified(page);
  await press('2');
  await page.getByRole('button', { name: reviewText.export.button }).first().waitFor();
  await press('Control+e');
  const dialog = page.getByRole('dialog');
  await tabTo(dialog.getByRole('button', { name: reviewText.export.download }));
  await downloadTo(page, task.out, () => press('Enter'));
  return keys;
}

/** The browser asks nobody where to, and calls it what the page says. */
async function downloadTo(page: Page, folder: string, act: () => Promise<void>): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  await download.saveAs(path.join(folder, download.suggestedFilename()));
  const handed = reviewText.export.downloaded(download.suggestedFilename());
  await page.getByRole('dialog').getByText(handed).waitFor();
}

/** Fields with proposals; the rest are plain. */
const PROPOSING = new Set<string>([
  ...[newFixText.repository, newFixText.model, newFixText.scaffold, newFixText.verify],
]);

/** A field of the form for a new fix. */
export function field(page: Page, label: string): Locator {
  const role = PROPOSING.has(label) ? 'combobox' : 'textbox';
  return page.getByRole('main').getByRole(role, { name: label, exact: true });
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Waits until the session has ended verified; says what it ended as where it did not. */
async function verified(page: Page): Promise<void> {
  const { session } = statesText;
  const ends = [session.verified, session.not_verified, session.no_patch, session.failed];
  const head = page.getByRole('main').locator('header');
  const over = head.getByText(new RegExp(`^(?:${ends.join('|')})$`));
  await over.first().waitFor({ timeout: FIXED_WITHIN_MS });
  const state = await over.first().textContent();
  if (state !== session.verified) throw new Error(`the session ended: ${state}`);
}
