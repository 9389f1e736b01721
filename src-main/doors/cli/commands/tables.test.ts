import { expect, test } from 'vitest';
import type { SessionSummary } from '../../../store/index.ts';
import { renderCleaned } from './clean.ts';
import { renderDoctor } from './doctor.ts';
import { renderImages } from './images.ts';
import { renderSessions } from './sessions.ts';

const SESSION: SessionSummary = {
  sessionId: 'k3x9',
  title: 'Totals\nare \x1b[31moff',
  repository: '/home/ann/shop',
  model: 'tadpole',
  scaffold: 'leaf',
  state: 'verified',
  createdAt: 0,
  updatedAt: 5,
  attempts: 1,
  steps: 12,
  insertions: 3,
  deletions: 2,
  files: 1,
  verified: true,
};

test('sessions', () => {
  const other: SessionSummary = {
    ...SESSION,
    sessionId: 'b7',
    state: 'no_patch',
    files: 0,
    verified: null,
    steps: 3,
  };
  const third: SessionSummary = { ...SESSION, state: 'not_verified', verified: false };
  expect(renderSessions([SESSION, other, third], 7_200_000, null)).toBe(
    `ID    STATE         AGE  MODEL    REPOSITORY  STEPS  CHANGE  VERIFIED  TITLE
k3x9  verified      2 h  tadpole  shop        12     +3 -2   yes       Totals are \\x1b[31moff
b7    no patch      2 h  tadpole  shop        3      -       -         Totals are \\x1b[31moff
k3x9  not verified  2 h  tadpole  shop        12     +3 -2   no        Totals are \\x1b[31moff
`,
  );
});

test('sessions on a narrow terminal: long names are cut', () => {
  const session = {
    ...SESSION,
    model: 'FrogNano-4B-Instruct-Q4_K_M.gguf',
    title: 'Totals are off',
  };
  expect(renderSessions([session], 7_200_000, 100)).toBe(
    `ID    STATE     AGE  MODEL                 REPOSITORY  STEPS  CHANGE  VERIFIED  TITLE
k3x9  verified  2 h  FrogNano-4B-Instruc…  shop        12     +3 -2   yes       Totals are off
`,
  );
});

test('sessions on 80 columns: no line wraps, the title is there', () => {
  const session: SessionSummary = { ...SESSION, sessionId: 'k3x9b7c2d1', state: 'not_verified' };
  const table = renderSessions([{ ...session, title: 'Totals are off' }], 7_200_000, 80);
  expect(table).toBe(
    `ID          STATE         AGE  REPOSITORY  STEPS  CHANGE  TITLE
k3x9b7c2d1  not verified  2 h  shop        12     +3 -2   Totals are off
`,
  );
});

test('doctor: what is found, and below it what is to be done', () => {
  expect(
    renderDoctor(
      [
        { name: 'docker', state: 'ok', found: 'Docker 28.2.2', remedy: null, required: true },
        { name: 'image', state: 'missing', found: 'none', remedy: 'Build it.', required: true },
        { name: 'GPU', state: 'unknown', found: '-', remedy: 'Nothing much.', required: false },
      ],
      null,
    ),
  ).toBe(`STATE    WHAT    FOUND
ok       docker  Docker 28.2.2
missing  image   none
unknown  GPU     -

To do
image: Build it.

Not needed, but possible
GPU: Nothing much.
`);
});

test('clean', () => {
  const nothing = {
    ...{ containers: 0, volumes: 0, snapshots: 0, bytes: 0 },
    servers: { ended: [], forgotten: [] },
  };
  expect(renderCleaned(nothing)).toBe('There was nothing to clean.\n');
  const unreached = 'no\u001b[2Jengine';
  expect(renderCleaned({ ...nothing, unreached })).toBe(
    'There was nothing to clean.\nContainers and volumes were not looked at: no\\x1b[2Jengine\n',
  );
  expect(renderCleaned({ ...nothing, snapshots: 1, bytes: 2048, unreached })).toBe(
    'Removed 1 snapshot (2.0 KiB).\nContainers and volumes were not looked at: no\\x1b[2Jengine\n',
  );
  expect(renderCleaned({ ...nothing, containers: 1, volumes: 2, bytes: 2 ** 20 })).toBe(
    'Removed 1 container, 2 volumes, 0 snapshots (1.0 MiB).\n',
  );
  const servers = { ended: ['frog'], forgotten: ['newt', 'to\u202ead'] };
  expect(renderCleaned({ ...nothing, servers })).toBe(
    `Ended what was left of the server of frog.
Removed state and logs of the server of newt, to\\u{202e}ad.
`,
  );
});

test('images', () => {
  const image = {
    reference: 'b:latest',
    id: 'sha256:0123456789abcdef',
    bytes: 2 ** 28,
    createdAt: 0,
  };
  expect(renderImages([image], 60_000, null)).toBe(
    'ID            SIZE     AGE    IMAGE\n0123456789ab  256 MiB  1 min  b:latest\n',
  );
});
