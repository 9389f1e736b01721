/**
 * Every action that has keys, in the order of the sheet. Keys here are the usual ones; a person's own
 * come from the settings. The same keys may serve several actions: the one whose screen was opened
 * last has them. Single letters never act while a field has the focus.
 */
export const ACTIONS = {
  'palette.open': { group: 'general', keys: 'mod+k' },
  'help.shortcuts': { group: 'general', keys: '?' },
  'fix.new': { group: 'general', keys: 'n' },
  'search.focus': { group: 'general', keys: '/' },
  'sidebar.toggle': { group: 'general', keys: 'mod+b' },
  'go.sessions': { group: 'go', keys: 'g s' },
  'go.models': { group: 'go', keys: 'g m' },
  'go.evaluations': { group: 'go', keys: 'g v' },
  'go.environment': { group: 'go', keys: 'g e' },
  'go.settings': { group: 'go', keys: 'mod+,' },
  'session.pin': { group: 'list', keys: 'p' },
  'session.archive': { group: 'list', keys: 'shift+a' },
  'session.timeline': { group: 'session', keys: '1' },
  'session.review': { group: 'session', keys: '2' },
  'session.verification': { group: 'session', keys: '3' },
  'session.files': { group: 'session', keys: '4' },
  'session.charts': { group: 'session', keys: '5' },
  'session.attempts': { group: 'session', keys: '6' },
  'session.provenance': { group: 'session', keys: '7' },
  'session.follow': { group: 'session', keys: 'f' },
  'session.stop': { group: 'session', keys: 'mod+.' },
  'session.resume': { group: 'session', keys: 'shift+r' },
  'session.again': { group: 'session', keys: 'shift+n' },
  'step.next': { group: 'session', keys: 'j' },
  'step.previous': { group: 'session', keys: 'k' },
  'error.next': { group: 'session', keys: 'e' },
  'error.previous': { group: 'session', keys: 'shift+e' },
  'hunk.next': { group: 'review', keys: 'j' },
  'hunk.previous': { group: 'review', keys: 'k' },
  'file.next': { group: 'review', keys: ']' },
  'file.previous': { group: 'review', keys: '[' },
  'review.accept': { group: 'review', keys: 'a' },
  'review.reject': { group: 'review', keys: 'r' },
  'review.undo': { group: 'review', keys: 'u' },
  'review.note': { group: 'review', keys: 'm' },
  'review.whitespace': { group: 'review', keys: 'w' },
  'review.layout': { group: 'review', keys: 's' },
  'review.export': { group: 'review', keys: 'mod+e' },
  'run.result': { group: 'evaluation', keys: '1' },
  'run.matrix': { group: 'evaluation', keys: '2' },
  'run.failures': { group: 'evaluation', keys: '3' },
  'run.compare': { group: 'evaluation', keys: '4' },
  'cell.label': { group: 'evaluation', keys: 'l' },
} as const satisfies Record<string, { group: ActionGroup; keys: string }>;

export type ActionGroup = 'general' | 'go' | 'list' | 'session' | 'review' | 'evaluation';
export type ActionId = keyof typeof ACTIONS;

export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];

/** Keys of an action: a person's own, or the usual ones. */
export function keysOf(id: ActionId, own: Readonly<Record<string, string>>): string {
  return own[id] ?? ACTIONS[id].keys;
}

export function isActionId(id: string): id is ActionId {
  return id in ACTIONS;
}
