/** Every part and dialog behind the screens: each is looked at by axe, none is in the pictures. */
import type { Page } from 'playwright';
import { MODEL_TABS, SETTINGS_TABS } from '../../src-renderer/navigation.ts';
import { componentsText } from '../../src-renderer/text/en/components.ts';
import { environmentText } from '../../src-renderer/text/en/environment.ts';
import { addModelText, modelsText } from '../../src-renderer/text/en/models.ts';
import { profileText } from '../../src-renderer/text/en/model-profile.ts';
import { newFixText } from '../../src-renderer/text/en/new-fix.ts';
import { pathFieldText } from '../../src-renderer/text/en/path-field.ts';
import { sessionText } from '../../src-renderer/text/en/session.ts';
import { sessionsText } from '../../src-renderer/text/en/sessions.ts';
import { field } from './first-fix.ts';
import type { View } from './views.ts';

/** Presses a button of the page, or of the dialog that is open. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

async function dialogBy(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor();
}

async function fromMenu(page: Page, menu: string, entry: string): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name: entry }).click();
  await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor();
}

/** @param session one that has ended @param running one that runs @param model in the library */
export function moreViews(session: string, running: string, model: string): View[] {
  return [
    ...listViews(),
    ...newFixViews(),
    ...sessionViews(session, running),
    ...modelViews(model),
    ...environmentViews(),
    ...SETTINGS_TABS.map((tab) => ({ name: `settings: ${tab}`, at: `#/settings/${tab}` })),
  ];
}

function listViews(): View[] {
  return [
    {
      name: 'sessions: nothing found',
      at: '#/sessions',
      act: async (page) => {
        await page.getByRole('searchbox').fill('no such session');
        await page.getByText(sessionsText.nothing.title).waitFor();
      },
    },
    {
      name: 'sessions: a row is marked',
      at: '#/sessions',
      act: async (page) => {
        await page.getByRole('grid').focus();
        await page.keyboard.press('j');
      },
    },
    {
      name: 'sessions: a list of states',
      at: '#/sessions',
      act: async (page) => {
        await page.getByRole('search').getByRole('button').first().click();
        await page.getByRole('listbox').waitFor();
      },
    },
  ];
}

function newFixViews(): View[] {
  return [
    {
      name: 'new fix: folders',
      at: '#/new',
      act: async (page) => {
        await dialogBy(page, newFixText.choose);
        await page.getByText(newFixText.folders.loading).waitFor({ state: 'hidden' });
      },
    },
    {
      name: 'new fix: what is missing, and all fields',
      at: '#/new?repository=%2Fnowhere',
      act: async (page) => {
        await field(page, newFixText.model).fill('nobody');
        await page.keyboard.press('Tab');
        await page.getByText(newFixText.more).click();
        await page.locator('[data-state="missing"]').first().waitFor();
      },
    },
  ];
}

function sessionViews(session: string, running: string): View[] {
  const { actions } = sessionText;
  return [
    {
      name: 'session: again',
      at: `#/session/${session}`,
      act: (page) => dialogBy(page, actions.again),
    },
    {
      name: 'session: more',
      at: `#/session/${session}`,
      act: async (page) => {
        await press(page, actions.more);
        await page.getByRole('menu').waitFor();
      },
    },
    { name: 'session: review alone', at: `#/session/${session}/review?wide=1` },
    { name: 'session: runs', at: `#/session/${running}` },
    {
      name: 'session: stop',
      at: `#/session/${running}`,
      act: (page) => dialogBy(page, actions.stop),
    },
    { name: 'session: is not there', at: '#/session/01NOWHERE' },
  ];
}

function modelViews(model: string): View[] {
  const { more, rename, remove } = modelsText;
  return [
    ...MODEL_TABS.map((tab) => ({ name: `model: ${tab}`, at: `#/models/${model}/${tab}` })),
    {
      name: 'model: profile as text',
      at: `#/models/${model}/profile`,
      act: async (page) => {
        await press(page, profileText.yaml);
        await page.getByRole('main').getByRole('textbox').first().waitFor();
      },
    },
    {
      name: 'model: rename',
      at: `#/models/${model}`,
      act: (page) => fromMenu(page, more, rename.action),
    },
    {
      name: 'model: remove',
      at: `#/models/${model}`,
      act: (page) => fromMenu(page, more, remove.action),
    },
    { name: 'model: is not there', at: '#/models/nobody' },
    { name: 'models: add', at: '#/models', act: (page) => dialogBy(page, addModelText.action) },
    {
      name: 'models: add, files',
      at: '#/models',
      act: async (page) => {
        await dialogBy(page, addModelText.action);
        await page.getByRole('dialog').getByRole('button', { name: pathFieldText.browse }).click();
        await page.getByText(pathFieldText.loading).waitFor({ state: 'hidden' });
      },
    },
  ];
}

function environmentViews(): View[] {
  const { images, disk } = environmentText;
  return [
    {
      name: 'environment: build',
      at: '#/environment',
      act: (page) => dialogBy(page, images.build),
    },
    {
      name: 'environment: import',
      at: '#/environment',
      act: (page) => dialogBy(page, images.import),
    },
    {
      name: 'environment: clean',
      at: '#/environment',
      act: (page) => dialogBy(page, disk.clean),
    },
    {
      name: 'environment: clean, said no',
      at: '#/environment',
      act: async (page) => {
        await dialogBy(page, disk.clean);
        await press(page, componentsText.cancel);
      },
    },
  ];
}
