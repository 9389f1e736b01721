import { expect, test } from 'vitest';
import { html } from './html-text.ts';
import { hiddenCharacters } from './visible.ts';

const HOSTILE = `<script>alert(1)</script>"' onload=x \`&amp; a\u202eb\u0007`;
const SHOWN =
  '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=x &#96;&amp;amp; a\\u{202e}b\\x07';

test('P10 what is put in can end neither text nor attribute, and hides nothing', () => {
  expect(html`<p>${HOSTILE}</p>`.html).toBe(`<p>${SHOWN}</p>`);
  const inAttribute = html`<a title="${HOSTILE}"></a>`.html;
  expect(inAttribute).toBe(`<a title="${SHOWN}"></a>`);
  expect(hiddenCharacters(inAttribute)).toEqual([]);
});

test('HTML made before goes in as it is, alone or as a list; numbers as they are written', () => {
  const items = ['<a>', 'b'].map((text) => html`<b>${text}</b>`);
  expect(html`<p>${items}${html`<hr />`}${1.5}</p>`.html).toBe(
    '<p><b>&lt;a&gt;</b><b>b</b><hr />1.5</p>',
  );
});

test('the layout of the source is left out, that of a text stays', () => {
  const literal = Object.assign(['<p>\n    ', '</p>\n  '], { raw: [] });
  for (const text of ['a\n    b', 'c']) expect(html(literal, text).html).toBe(`<p>\n${text}</p>\n`);
});
