import { expect, it } from 'vitest';
import { calibratedTasks } from './calibrated-tasks.ts';
import { calibrationPage } from './calibration-page.ts';

const settings = {
  ...{ first: 4, most: 8, band: { low: 0.1, high: 0.9 }, worth: 0.05 },
  ...{ unsolvedShare: 0.1, classShare: 0.6 },
};

it('the page loads nothing, shows each task once in picture and table, and takes names as text', () => {
  const probed = [
    { name: '<b>&"', hash: 'a', bugClass: 'logic', solved: 2, probes: 4 },
    { name: 'none', hash: 'b', bugClass: null, solved: 0, probes: 0 },
  ];
  const page = calibrationPage({
    ...{ model: 'frog', modelName: '<frog>', scaffoldName: 'leaf', scaffoldHash: 'h', settings },
    ...{ tasks: calibratedTasks(probed, settings), at: 0 },
  });
  const text = new TextDecoder().decode(page);
  expect(text).toContain('<h1>Calibration: &lt;frog&gt; x leaf</h1>');
  expect(text).toContain('1 of 2 tasks kept, 4 probes, 1970-01-01T00:00:00.000Z');
  expect(text.match(/&lt;b&gt;&amp;&quot;/g)?.length).toBe(2);
  expect(text).not.toMatch(/<b>|<script|(?:src|href)=|NaN|undefined/);
  expect(text.match(/<circle/g)?.length).toBe(1);
  expect(text).toContain('<circle class="kept" cx="500" cy="10" r="4" />');
  const cells = [...text.matchAll(/<td class="num">([^<]*)</g)].map(([, cell]) => cell);
  expect(cells).toEqual([
    ...['2/4', '0.12 to 0.88', '97 %', '0.333', '0.000'],
    ...['0/0', '-', '59 %', '-', expect.stringMatching(/^0\.\d{3}$/)],
  ]);
});
