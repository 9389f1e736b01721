import type { MenuItemConstructorOptions } from 'electron';
import { shellText } from './text.ts';

export interface MenuWishes {
  platform: NodeJS.Platform;
  /** For developers, whose app is no package. */
  devTools: boolean;
  /** Does an action of the page's shortcut table. */
  act: (action: string) => void;
  openRepository: () => void;
  saveLog: () => void;
}

const { menu: words } = shellText;

/** The native menus. Pure: nothing is built here, and what pages do is done by pages. */
export function menuTemplate(wishes: MenuWishes): MenuItemConstructorOptions[] {
  const { act } = wishes;
  const isMac = wishes.platform === 'darwin';
  const settings = item(act, words.settings, 'go.settings', 'CmdOrCtrl+,');
  return [
    ...(isMac ? [macMenu(settings)] : []),
    fileMenu(wishes, isMac ? [] : [settings, { type: 'separator' }]),
    { label: words.edit, role: 'editMenu' },
    viewMenu(wishes),
    {
      label: words.go,
      submenu: [
        item(act, words.sessions, 'go.sessions'),
        item(act, words.models, 'go.models'),
        item(act, words.evaluations, 'go.evaluations'),
        item(act, words.environment, 'go.environment'),
      ],
    },
    {
      label: words.session,
      submenu: [
        item(act, words.stop, 'session.stop', 'CmdOrCtrl+.'),
        item(act, words.resume, 'session.resume'),
        item(act, words.again, 'session.again'),
        { type: 'separator' },
        item(act, words.export, 'review.export', 'CmdOrCtrl+E'),
      ],
    },
    { label: words.window, role: 'windowMenu' },
    {
      label: words.help,
      role: 'help',
      submenu: [
        item(act, words.shortcuts, 'help.shortcuts'),
        { label: words.saveLog, click: () => wishes.saveLog() },
        ...(isMac ? [] : ([{ type: 'separator' }, { role: 'about' }] as const)),
      ],
    },
  ];
}

/** Pages listen for the keys themselves, and people can change them: here they are only shown. */
function item(
  act: MenuWishes['act'],
  label: string,
  action: string,
  accelerator?: string,
): MenuItemConstructorOptions {
  return {
    id: action,
    label,
    click: () => act(action),
    ...(accelerator !== undefined && { accelerator, registerAccelerator: false }),
  };
}

function macMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: shellText.app,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function fileMenu(
  { platform, act, openRepository }: MenuWishes,
  more: MenuItemConstructorOptions[],
): MenuItemConstructorOptions {
  const isMac = platform === 'darwin';
  return {
    label: words.file,
    submenu: [
      // No page listens for these two: `n` alone does it there.
      { ...item(act, words.newFix, 'fix.new'), accelerator: 'CmdOrCtrl+N' },
      { label: words.openRepository, accelerator: 'CmdOrCtrl+O', click: () => openRepository() },
      ...(isMac ? ([{ role: 'recentDocuments' }] as const) : []),
      { type: 'separator' },
      ...more,
      isMac ? { role: 'close' } : { role: 'quit' },
    ],
  };
}

function viewMenu({ act, devTools }: MenuWishes): MenuItemConstructorOptions {
  return {
    label: words.view,
    submenu: [
      item(act, words.palette, 'palette.open', 'CmdOrCtrl+K'),
      item(act, words.sidebar, 'sidebar.toggle', 'CmdOrCtrl+B'),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(devTools ? ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const) : []),
    ],
  };
}
