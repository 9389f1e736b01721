import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatTemplateFacts } from './chat-template.ts';
import { inspectModel } from './inspect.ts';
import { licencesDiffer } from './licences.ts';
import { closeNames, isSafeName, safeName } from './names.ts';
import { parseSums } from './sums.ts';
import { temporaryFolder, writeModel } from './testing.ts';

async function factsWith(files: Record<string, string | null>) {
  const folder = writeModel(join(temporaryFolder(), 'm'), files);
  return (await inspectModel(folder)).facts;
}

const APACHE =
  '\n                                 Apache License\n                           Version 2.0, January 2004\n';

describe('licences', () => {
  it('of two places that differ are both kept', async () => {
    const { licences, names } = await factsWith({
      'README.md':
        '---\nlicense: mit\nbase_model: Qwen/Qwen3.5-4B\n---\n# FrogNano-4B\n\nMIT is a university.\n\nThis model is licensed under the\nThe weights are released under the Apache 2.0 license.\n',
    });
    expect(licences).toEqual([
      { source: 'README.md (front matter)', licence: 'mit' },
      { source: 'README.md (text)', licence: 'Apache 2.0' },
    ]);
    expect(licencesDiffer(licences)).toBe(true);
    expect(names).toEqual(['m', 'FrogNano-4B', 'Qwen/Qwen3.5-4B']);
  });

  it('of three places that mean the same do not differ', async () => {
    const { licences } = await factsWith({
      'README.md':
        '---\r\nlicense: apache-2.0\r\n---\r\n## License\r\nApache License, Version 2.0\r\n',
      LICENSE: APACHE,
    });
    expect(licences).toEqual([
      { source: 'README.md (front matter)', licence: 'apache-2.0' },
      { source: 'README.md (text)', licence: 'Apache License, Version 2.0' },
      { source: 'LICENSE', licence: 'Apache License Version 2.0' },
    ]);
    expect(licencesDiffer(licences)).toBe(false);
  });

  it.each<[string, string, string[]]>([
    ['a list', '---\nlicense: [mit, cc-by-4.0]\n---\n', ['mit', 'cc-by-4.0']],
    ['a name of its own', '---\nlicense: other\nlicense_name: qwen\n---\n', ['qwen']],
    [
      'one family',
      'License: GNU Affero General Public License, AGPL-3.0',
      ['GNU Affero General Public License'],
    ],
    [
      'two in a sentence',
      'Code under the MIT License, weights under Apache-2.0.',
      ['MIT', 'Apache-2.0'],
    ],
    ['none', 'We thank MIT.', []],
    ['front matter that is no YAML', '---\nlicense: [\n---\n', []],
    ['an endless alias', '---\na: &a [*a]\nlicense: mit\n---\n', ['mit']],
  ])('%s', async (_title, readme, wanted) => {
    const { licences } = await factsWith({ 'README.md': readme });
    expect(licences.map(({ licence }) => licence)).toEqual(wanted);
  });

  it('the first words of a licence that is not known are shown', async () => {
    const { licences } = await factsWith({ 'LICENSE.txt': '\n  Frog Terms 1\n\nYou may.' });
    expect(licences).toEqual([{ source: 'LICENSE.txt', licence: 'Frog Terms 1' }]);
  });
});

describe('chat templates', () => {
  it.each([
    ['hermes', { tools: true, callFormat: 'hermes', thinking: true }],
    ['coder', { tools: true, callFormat: 'qwen3_coder', thinking: true }],
  ])('%s', (name, wanted) => {
    const file = new URL(`../../../scripts/vllm/${name}.jinja`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    expect(chatTemplateFacts({ source: 'x', text })).toMatchObject(wanted);
  });

  it('is told as unknown when it shows no calls', () => {
    const text = '{% for message in messages %}{{ message.content }}{% endfor %}';
    const wanted = { tools: false, callFormat: null, thinking: false };
    expect(chatTemplateFacts({ source: 'x', text })).toMatchObject(wanted);
  });

  const named = (...names: string[]): string =>
    JSON.stringify({ chat_template: names.map((name) => ({ name, template: `${name} tools` })) });
  it.each<[string, Record<string, string | null>, string]>([
    [
      'a file first',
      { 'chat_template.jinja': 'x', 'chat_template.json': '{"chat_template":"y"}' },
      'chat_template.jinja',
    ],
    ['then JSON', { 'chat_template.json': '{"chat_template":"y"}' }, 'chat_template.json'],
    ['then the tokenizer', {}, 'tokenizer_config.json'],
    [
      'the one for tools',
      { 'tokenizer_config.json': named('default', 'tool_use') },
      'tokenizer_config.json (tool_use)',
    ],
    [
      'else the default',
      { 'tokenizer_config.json': named('rag', 'default') },
      'tokenizer_config.json (default)',
    ],
    [
      'a file for tools',
      { 'additional_chat_templates/tool_use.jinja': 'x' },
      'additional_chat_templates/tool_use.jinja',
    ],
  ])('%s', async (_title, files, source) => {
    expect((await factsWith(files)).chatTemplate.source).toBe(source);
  });
});

describe('names', () => {
  it.each([
    ['FrogNano-4B', 'frognano-4b'],
    ['Frog Mini (14B) / Ünï', 'frog-mini-14b-u-ni'],
    ['../../etc/passwd', 'etc-passwd'],
    ['蛙', 'model'],
    ['con', 'model'],
    ['x'.repeat(99), 'x'.repeat(64)],
    ['\u001b[31mred\u202e', '31mred'],
  ])('%j becomes %s', (text, wanted) => expect(safeName(text)).toBe(wanted));

  it('that are paths, devices or too long are refused', () => {
    const names = ['', '.', '..', 'a/b', 'A', '.a', 'a.', 'nul.txt', 'a b', 'a\n', 'x'.repeat(65)];
    expect(names.filter(isSafeName)).toEqual([]);
  });

  it('close to a wrong one are found', () => {
    const names = ['frogmini-14b', 'frognano-4b', 'plain'];
    expect(closeNames('frognano-4', names)).toEqual(['frognano-4b']);
    expect(closeNames('forgnano-4b', names)).toEqual(['frognano-4b']);
    expect(closeNames('FROG', names)).toEqual(['frogmini-14b', 'frognano-4b']);
    expect(closeNames('zebra-thing', names)).toEqual([]);
  });
});

describe('lists of checksums', () => {
  const sum = 'ab'.repeat(32);
  it.each<[string, string | null, [string, string][]]>([
    [`${sum}  a b.json`, null, [['a b.json', sum]]],
    [`${sum} *a`, null, [['a', sum]]],
    [`${sum}\ta`, null, [['a', sum]]],
    [`SHA256 (a (1)) = ${sum.toUpperCase()}`, null, [['a (1)', sum]]],
    [`SHA2-256(a)= ${sum}`, 'a', []],
    [`\\${sum}  a\\nb\\\\c`, null, [['a\nb\\c', sum]]],
    [`${sum}  ./deep/../a\r\n# note\n`, null, [['a', sum]]],
    [`${sum}  /media/stick/a`, null, [['a', sum]]],
    [`${sum}  ../a`, null, [['a', sum]]],
    [sum, 'm.gguf', [['m.gguf', sum]]],
  ])('%j', (text, subject, wanted) => {
    if (wanted.length > 0) expect(parseSums('LIST', text, subject)).toEqual(wanted);
    else expect(() => parseSums('LIST', text, subject)).toThrow('no sha256 checksum');
  });
});
