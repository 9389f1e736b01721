import { describe, expect, it } from 'vitest';
import { ACTION_IDS, ACTIONS, isActionId } from './actions.ts';
import { keyLabels, parseKeys, pressedCombination } from './keys.ts';
import { conflicts, createShortcuts } from './registry.ts';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<typeof NONE> = {}) => ({ key, ...NONE, ...held });
const AT = { inField: false, apple: false, nowMs: 0 };

describe('keys', () => {
  it.each([
    [press('k', { ctrlKey: true }), false, 'mod+k'],
    [press('k', { metaKey: true }), true, 'mod+k'],
    [press('k', { metaKey: true }), false, 'k'],
    [press('?', { shiftKey: true }), false, '?'],
    [press('E', { shiftKey: true }), false, 'shift+e'],
    [press(' ', { altKey: true }), false, 'alt+space'],
    [press('+', { ctrlKey: true }), false, 'mod++'],
    [press('Shift', { shiftKey: true }), false, null],
    [press('ArrowDown', { shiftKey: true }), false, 'shift+arrowdown'],
  ])('%j is read', (event, apple, combination) => {
    expect(pressedCombination(event, apple)).toBe(combination);
  });

  it.each([
    ['Shift+Mod+X', 'mod+shift+x'],
    [' g  s ', 'g s'],
    ['mod++', 'mod++'],
    ['+', '+'],
    ['mod', null],
    ['hyper+x', null],
    ['a b c', null],
    ['', null],
  ])('%j is understood as %j', (text, keys) => {
    expect(parseKeys(text)).toBe(keys);
  });

  it('shows what stands on the keyboard', () => {
    expect(keyLabels('mod+shift+k', false)).toEqual(['Ctrl', 'Shift', 'K']);
    expect(keyLabels('mod+enter', true)).toEqual(['⌘', '↩']);
    expect(keyLabels('g s', false)).toEqual(['G', 'S']);
    expect(keyLabels('mod++', false)).toEqual(['Ctrl', '+']);
  });
});

describe('shortcuts', () => {
  it('asks the newest offer first, and the one before when that is gone', () => {
    const shortcuts = createShortcuts();
    const done: string[] = [];
    shortcuts.offer('step.next', () => done.push('step'));
    const end = shortcuts.offer('hunk.next', () => done.push('hunk'));
    expect(shortcuts.onKey(press('j'), AT)).toBe(true);
    end();
    shortcuts.onKey(press('j'), AT);
    expect(done).toEqual(['hunk', 'step']);
  });

  it('leaves letters to fields, but not combinations', () => {
    const shortcuts = createShortcuts();
    let opened = 0;
    shortcuts.offer('palette.open', () => (opened += 1));
    shortcuts.offer('fix.new', () => (opened += 10));
    const inField = { ...AT, inField: true };
    expect(shortcuts.onKey(press('n'), inField)).toBe(false);
    expect(shortcuts.onKey(press('k', { ctrlKey: true }), inField)).toBe(true);
    expect(opened).toBe(1);
  });

  it('takes two keys one after the other, but not after a pause', () => {
    const shortcuts = createShortcuts();
    let went = 0;
    shortcuts.offer('go.models', () => (went += 1));
    shortcuts.onKey(press('g'), AT);
    expect(shortcuts.onKey(press('m'), { ...AT, nowMs: 800 })).toBe(true);
    shortcuts.onKey(press('g'), { ...AT, nowMs: 5_000 });
    expect(shortcuts.onKey(press('m'), { ...AT, nowMs: 9_000 })).toBe(false);
    expect(went).toBe(1);
  });

  it("follows a person's own keys", () => {
    const shortcuts = createShortcuts();
    let opened = 0;
    shortcuts.offer('palette.open', () => (opened += 1));
    shortcuts.setOwnKeys({ 'palette.open': 'mod+p' });
    expect(shortcuts.onKey(press('k', { ctrlKey: true }), AT)).toBe(false);
    expect(shortcuts.onKey(press('p', { ctrlKey: true }), AT)).toBe(true);
    expect([shortcuts.run('palette.open'), shortcuts.run('fix.new'), opened]).toEqual([
      true,
      false,
      2,
    ]);
  });
});

describe('the table of actions', () => {
  it('has keys in normal form, none of which can be meant twice', () => {
    for (const id of ACTION_IDS) expect(parseKeys(ACTIONS[id].keys)).toBe(ACTIONS[id].keys);
    expect(conflicts({})).toEqual([]);
    expect(conflicts({ 'fix.new': 'mod+k' })).toEqual([['palette.open', 'fix.new']]);
    expect([isActionId('fix.new'), isActionId('no.such')]).toEqual([true, false]);
  });
});
