/** Words of the frame that is not a page: menus, dialogs and notes. */
export const shellText = {
  app: 'Vivarium',
  menu: {
    file: '&File',
    edit: '&Edit',
    view: '&View',
    go: '&Go',
    session: '&Session',
    window: '&Window',
    help: '&Help',
    newFix: '&New fix',
    openRepository: '&Open repository…',
    settings: '&Settings…',
    palette: '&Find anything…',
    sidebar: 'Show or hide the &sidebar',
    sessions: '&Sessions',
    models: '&Models',
    evaluations: 'E&valuations',
    environment: '&Environment',
    stop: '&Stop',
    resume: '&Resume',
    again: 'Run &again…',
    export: '&Export…',
    shortcuts: '&Keys',
    saveLog: 'Save &log…',
  },
  pickRepository: 'Open a repository',
  saveLog: 'Save the log',
  logName: 'vivarium-app.log',
  quit: {
    message: (running: number) =>
      running === 1 ? 'A session is running' : `${running} sessions are running`,
    detail:
      'Quitting stops them. What they did so far is kept, and `Resume` goes on from there. Model servers that were started in the background stay.',
    keep: 'Keep running',
    stop: 'Stop and quit',
  },
  gone: {
    message: 'The window stopped again and again',
    detail: (reason: string) =>
      `Reason: ${reason}. Sessions run outside of it: nothing of them is lost.`,
    reload: 'Open it again',
    save: 'Save the log…',
    quit: 'Quit',
  },
  stuck: {
    message: 'The window does not answer',
    detail: 'Sessions run outside of it, and go on meanwhile.',
    wait: 'Wait',
    reload: 'Load it again',
  },
  lost: {
    title: (count: number) =>
      count === 1 ? 'A model server is gone' : `${count} model servers are gone`,
    body: (names: readonly string[]) =>
      `${names.join(', ')} did not come back after the machine slept: the graphics device may have been reset. Start again under Models.`,
  },
  failedToStart: 'Vivarium cannot start',
} as const;
