import { describe, expect, it } from 'vitest';
import { readCookie, setCookie } from './cookie.ts';
import { judgeRequest, judgeUpgrade } from './judge.ts';

const PORT = 4321;
const host = `127.0.0.1:${PORT}`;
const own = `http://${host}`;

const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('requests', () => {
  it.each([
    ['the address', 'GET', { host }, null],
    ['localhost', 'GET', { host: `localhost:${PORT}` }, null],
    ['our own fetch', 'GET', { host, origin: own, 'sec-fetch-site': 'same-origin' }, null],
    ['an address typed in', 'GET', { host, 'sec-fetch-site': 'none', ...NAVIGATION }, null],
    [
      'a link of another site',
      'GET',
      { host, 'sec-fetch-site': 'cross-site', ...NAVIGATION },
      null,
    ],
    ['only the head', 'HEAD', { host }, null],
    ['no host', 'GET', {}, 'foreign_host'],
    ['another name for us', 'GET', { host: `evil.example:${PORT}` }, 'foreign_host'],
    [
      'a name that begins like ours',
      'GET',
      { host: `127.0.0.1:${PORT}.evil.example` },
      'foreign_host',
    ],
    ['another port', 'GET', { host: '127.0.0.1:80' }, 'foreign_host'],
    ['no port', 'GET', { host: '127.0.0.1' }, 'foreign_host'],
    ['another spelling', 'GET', { host: `0x7f.1:${PORT}` }, 'foreign_host'],
    ['IPv6', 'GET', { host: `[::1]:${PORT}` }, 'foreign_host'],
    ['a foreign origin', 'GET', { host, origin: 'http://evil.example' }, 'foreign_origin'],
    ['another port of ours', 'GET', { host, origin: 'http://127.0.0.1:80' }, 'foreign_origin'],
    ['https', 'GET', { host, origin: `https://${host}` }, 'foreign_origin'],
    ['an opaque origin', 'GET', { host, origin: 'null' }, 'foreign_origin'],
    [
      'the other name as origin',
      'GET',
      { host, origin: `http://localhost:${PORT}` },
      'foreign_origin',
    ],
    ['a picture of another site', 'GET', { host, 'sec-fetch-site': 'cross-site' }, 'foreign_site'],
    ['a script of another port', 'GET', { host, 'sec-fetch-site': 'same-site' }, 'foreign_site'],
    [
      'a frame of another site',
      'GET',
      { host, 'sec-fetch-site': 'cross-site', ...NAVIGATION, 'sec-fetch-dest': 'iframe' },
      'foreign_site',
    ],
    ['a post without origin', 'POST', { host }, 'foreign_origin'],
    ['a foreign post', 'POST', { host, origin: 'http://evil.example' }, 'foreign_origin'],
    ['our own post', 'POST', { host, origin: own }, 'method'],
    ['a preflight', 'OPTIONS', { host, origin: 'http://evil.example' }, 'foreign_origin'],
  ])('%s', (_, method, headers, refusal) => {
    expect(judgeRequest({ method, headers, port: PORT })).toBe(refusal);
  });
});

describe('upgrades', () => {
  it.each([
    ['our page', { host, origin: own }, null],
    [
      'our page as the browser says it',
      { host, origin: own, 'sec-fetch-site': 'same-origin' },
      null,
    ],
    ['no origin', { host }, 'foreign_origin'],
    ['foreign origin', { host, origin: 'http://evil.example' }, 'foreign_origin'],
    ['another port', { host, origin: 'http://127.0.0.1:80' }, 'foreign_origin'],
    ['foreign host', { host: 'evil.example', origin: 'http://evil.example' }, 'foreign_host'],
    ['foreign site', { host, origin: own, 'sec-fetch-site': 'same-site' }, 'foreign_site'],
  ])('%s', (_, headers, refusal) => {
    expect(judgeUpgrade({ headers, port: PORT })).toBe(refusal);
  });
});

describe('the cookie', () => {
  it('is for us alone', () => {
    expect(setCookie(PORT, 'abc')).toBe('vivarium_4321=abc; Path=/; HttpOnly; SameSite=Strict');
  });

  it.each([
    ['vivarium_4321=abc', 'abc'],
    ['other=1; vivarium_4321=abc; more=2', 'abc'],
    ['vivarium_4322=abc', null],
    ['xvivarium_4321=abc', null],
    ['', null],
    [undefined, null],
  ])('is read from %s', (header, value) => {
    expect(readCookie(header, PORT)).toBe(value);
  });
});
