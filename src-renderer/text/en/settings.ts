import { plural } from './units.ts';

/** Words of the settings. */
export const settingsText = {
  title: 'Settings',
  loading: 'Reading the settings…',
  tabs: {
    label: 'Parts of the settings',
    general: 'General',
    keys: 'Keys',
    privacy: 'What stays here',
    about: 'About',
  },
  saved: 'Changes are kept at once.',
  look: {
    title: 'Look',
    theme: 'Theme',
    themes: {
      system: 'System',
      light: 'Light',
      dark: 'Dark',
      contrast: 'High contrast',
    },
    zoom: 'Zoom',
    zoomHint: 'Of the whole interface, from 60 to 200.',
    percent: '%',
    usual: 'Usual size',
  },
  defaults: {
    title: 'A new fix begins with',
    hint: 'Where a new fix or the repository’s vivarium.yaml says nothing else.',
    model: 'Model',
    noModel: 'chosen each time',
    attempts: 'Attempts',
    memory: 'Memory of the workspace',
    memoryUnit: 'GiB',
    cpus: 'Processors of the workspace',
    chosen: 'chosen by Vivarium',
  },
  notifications: {
    title: 'Notifications',
    words: 'Tell me when a session ends while I look elsewhere',
    refused:
      'The browser does not allow notifications for this page. Its own settings change that.',
    inside: 'Messages inside the page come either way.',
  },
  folder: {
    title: 'Data folder',
    words:
      'Everything that Vivarium keeps: the record of sessions, models, patches, logs, settings. Another folder is set by VIVARIUM_HOME before the start.',
    use: 'Disk used',
  },
  keys: {
    title: 'Keys',
    words:
      'Press Change, then the keys. Letters act where no field has the focus; two keys can follow each other.',
    action: 'Action',
    keys: 'Keys',
    own: 'yours',
    change: 'Change',
    changeOf: (name: string) => `Change the keys of ${name}`,
    reset: 'Usual keys',
    resetOf: (name: string) => `Give ${name} its usual keys`,
    resetAll: 'Usual keys for all',
    press: 'Press the keys…',
    pressOf: (name: string) => `Press the keys of ${name}; Escape leaves it as it is`,
    again: 'now another one, or wait',
    conflict: (other: string) => `in the way of ${other}`,
    conflicts: (count: number) =>
      `${plural(count, 'pair')} of actions ${count === 1 ? 'stands' : 'stand'} in each other’s way: only one of each can act.`,
    reserved: 'kept by the browser, so it may not come through',
  },
  privacy: {
    title: 'What never leaves this machine',
    words:
      'Vivarium has no account, no telemetry, no update check, and loads no fonts or scripts from elsewhere. What it holds, and where that goes:',
    what: 'What',
    kept: 'Where it is kept',
    leaves: 'Whether it leaves the machine',
    rows: {
      repository: {
        what: 'Your repository',
        kept: 'where you have it; it is only read. A session works on a private snapshot in the data folder.',
        leaves: 'never',
      },
      issue: {
        what: 'Issue texts, what the model thinks, says and does, outputs of tools',
        kept: 'in one SQLite file in the data folder',
        leaves:
          'only to a model at an address that you typed in yourself: that server gets the conversation, with the code it holds',
      },
      patches: {
        what: 'Patches and reports',
        kept: 'in the data folder, and where you export them',
        leaves: 'never by Vivarium',
      },
      models: {
        what: 'Models',
        kept: 'where you have them, or as a copy in the data folder',
        leaves:
          'never; their servers listen on this machine’s loopback only, each with a key of its own',
      },
      workspaces: {
        what: 'Workspaces',
        kept: 'in containers without a network, removed when they end',
        leaves: 'never',
      },
      images: {
        what: 'Container images',
        kept: 'in Docker on this machine; never pulled',
        leaves:
          'never; building one fetches Debian packages from the archive that this machine is set up for, when you ask for it',
      },
      interface: {
        what: 'This page',
        kept: 'served on 127.0.0.1, behind a token',
        leaves: 'never; its own rules forbid it any other connection',
      },
    },
    connections: 'Connections that there can be',
    list: [
      'loopback: this page and the model servers that Vivarium starts',
      'the Docker socket',
      'addresses of models that you typed in yourself',
    ],
  },
  about: {
    title: 'Versions',
    loading: 'Reading versions and licences…',
    vivarium: 'Vivarium',
    node: 'Node.js',
    platform: 'Platform',
    memory: 'Memory of the core',
    licences: 'Licences',
    count: (shown: number, all: number) =>
      shown === all
        ? plural(all, 'library', 'libraries')
        : `${shown} of ${plural(all, 'library', 'libraries')}`,
    filter: 'Filter by name or licence',
    library: 'Library',
    version: 'Version',
    licence: 'Licence',
    noMatch: 'No library is called that.',
    loadingText: 'Reading the licence…',
    noText: (licence: string) =>
      `The package brings no licence file. Its description states: ${licence}.`,
  },
};
