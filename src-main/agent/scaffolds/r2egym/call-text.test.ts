import { describe, expect, it } from 'vitest';
import { callText, findCall } from './call-text.ts';

function found(text: string) {
  const search = findCall(text);
  if (search.kind !== 'found') return search;
  const { name, parameters, notes, rest } = search.call;
  return { name, parameters: Object.fromEntries(parameters), notes, rest };
}

describe('L10 a call in the text', () => {
  it('the first block counts, with all of its parameters', () => {
    const text =
      'I look.\n<function=file_editor>\n  <parameter=command>view</parameter>\n  <parameter = path >/testbed/a.py</parameter>\n</function> and more';
    expect(found(text)).toEqual({
      name: 'file_editor',
      parameters: { command: 'view', path: '/testbed/a.py' },
      notes: [],
      rest: ' and more',
    });
  });

  it('values keep their blanks', () => {
    const text =
      '<function=f>\n<parameter=old_str>\n    x = 1\n</parameter>\n<parameter=new_str>\n    x = 2  \n</parameter>\n</function>';
    expect(found(text)).toMatchObject({
      parameters: { old_str: '\n    x = 1\n', new_str: '\n    x = 2  \n' },
    });
  });

  it('</parameter> and </function> inside code do not end a value', () => {
    const code =
      'p = "</parameter>"\nq = "</function>"\nr = re.match("<parameter=(.*?)</parameter>", t)';
    const text = `<function=file_editor>\n<parameter=file_text>${code}</parameter>\n<parameter=path>/a.py</parameter>\n</function>`;
    expect(found(text)).toMatchObject({ parameters: { file_text: code, path: '/a.py' } });
  });

  it.each([
    [
      'no end tag of the function',
      '<function=execute_bash>\n<parameter=cmd>ls</parameter>\n',
      ['</function> was missing'],
    ],
    [
      'words between the parameters',
      '<function=execute_bash>\nnow:\n<parameter=cmd>ls</parameter></function>',
      ['text between the parameters was left out'],
    ],
  ])('%s: read, and said', (_, text, notes) => {
    expect(found(text)).toMatchObject({ name: 'execute_bash', notes });
  });

  it.each([
    ['plain words', { kind: 'none' }],
    [
      '<function=f>\n<parameter=a>1',
      { kind: 'broken', start: 0, fault: 'the value of a has no end' },
    ],
    ['x <function=f> words', { kind: 'broken', start: 2, fault: '<function=f> has no end' }],
  ])('%j is no call', (text, result) => {
    expect(findCall(text)).toEqual(result);
  });
});

it.each([
  ['blanks without end', `<function=${' '.repeat(400_000)}`, 'none'],
  ['one tag again and again', '<function='.repeat(60_000), 'none'],
  ['a parameter of blanks', `<function=f>\n<parameter=${' '.repeat(400_000)}`, 'broken'],
  ['its end again and again', `<function=f><parameter=a>${'</parameter>'.repeat(50_000)}`, 'found'],
])('a long reply takes no more than its length: %s', (_, text, kind) => {
  const began = performance.now();
  expect(findCall(text).kind).toBe(kind);
  // Each of them took half a minute where the time grew with the square of the length.
  expect(performance.now() - began).toBeLessThan(2000);
});

it('a name may stand on a line of its own', () => {
  expect(found('<function=\nsearch\n><parameter=\nsearch_term\n>x</parameter></function>')).toEqual(
    {
      ...{ name: 'search', parameters: { search_term: 'x' }, notes: [], rest: '' },
    },
  );
});

it('a call is kept with two blanks before each parameter and bare values', () => {
  expect(
    callText(
      'file_editor',
      new Map([
        ['path', '\n a.py '],
        ['old_str', '\n    x\n'],
      ]),
    ),
  ).toBe(
    '<function=file_editor>\n  <parameter=path>a.py</parameter>\n  <parameter=old_str>x</parameter>\n</function>',
  );
  expect(callText('', new Map())).toBe('<function=>\n</function>');
});
