import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processIdentity } from '../../../../lib/index.ts';
import type { ServerPlan } from '../../../servers/types.ts';
import { launchInput } from '../../../testing/launch.ts';
import { createLlamaServerEngine } from '../../llama-server/index.ts';
import { createVllmEngine } from '../../vllm/index.ts';
import { lines, presetInput, installation, temporaryFolder, writeProgram } from '../testing.ts';

const command = [
  '/usr/bin/docker',
  'run',
  '--user',
  '1000:1000',
  'vllm/vllm-openai:v0.33.0',
  'vllm',
];
const vllm33 = installation('vllm', '0.33.0', null, { command });
const source = { kind: 'container' as const, image: 'vllm/vllm-openai:v0.33.0' };

test('frognano-4b in a container on the second GPU', () => {
  const input = presetInput('frognano-4b', vllm33, [1], {
    source,
    chatTemplate: '/home/me/my template.jinja',
    environment: { PATH: '/opt/bin', CC: 'gcc-12' },
  });
  const made = createVllmEngine().command(input);
  if (made.kind !== 'program') throw new Error('not a program');
  const [node = '', relay = '', port, socket, ...docker] = made.argv;
  expect([node, port, socket]).toEqual([
    process.execPath,
    '43210',
    '/home/me/.vivarium/cache/socket',
  ]);
  expect(relay).toMatch(/\/container\/relay\.ts$/);
  const words = lines(docker);
  expect(words.slice(0, 24)).toEqual([
    '/usr/bin/docker',
    'run',
    '--rm',
    '--init',
    '--pull never',
    '--name vivarium-server-frognano-4b-n0nce',
    '--label vivarium.server=frognano-4b',
    `--label vivarium.server-owner=${processIdentity()}`,
    '--network none',
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
    '--read-only',
    '--user 1000:1000',
    '--tmpfs /tmp:rw,exec,nosuid,nodev',
    '--shm-size 8g',
    '--mount type=bind,source=/models/frognano-4b,target=/model,readonly',
    '--mount type=bind,source=/home/me/.vivarium/cache,target=/cache',
    '--mount type=bind,source=@SOCKET_FOLDER@,target=/run/vivarium',
    '--mount type=bind,source=/home/me/my template.jinja,target=/template.jinja,readonly',
    '--gpus "device=1"',
    '--env HOME=/cache',
    '--env USER',
    '--env HF_HUB_OFFLINE',
    '--env TRANSFORMERS_OFFLINE',
  ]);
  // By name only, so that the key is in no command line; but not what the client needs itself.
  expect(words).toEqual(
    expect.arrayContaining(['--env VLLM_API_KEY', '--env CC', '--env PATH=/opt/bin']),
  );
  expect(made.env).toMatchObject({ VLLM_API_KEY: 'the-key', CC: 'gcc-12', PATH: '/usr/bin' });
  expect(made.env).toMatchObject({ HF_HOME: '/cache/huggingface', HOME: '/home/me' });
  expect(made.argv.join(' ')).not.toContain('the-key');
  expect(words.slice(words.indexOf('--entrypoint vllm'))).toEqual([
    '--entrypoint vllm',
    'vllm/vllm-openai:v0.33.0',
    'serve',
    '/model',
    '--uds /run/vivarium/server.sock',
    '--served-model-name frognano-4b-n0nce',
    '--allowed-origins []',
    '--disable-fastapi-docs',
    '--max-model-len 131072',
    '--max-num-seqs 4',
    '--gpu-memory-utilization 0.9',
    '--enable-prefix-caching',
    '--mamba-cache-mode align',
    '--enable-auto-tool-choice',
    '--tool-call-parser qwen3_coder',
    '--reasoning-parser qwen3',
    '--chat-template /template.jinja',
    '--enable-prompt-tokens-details',
    '--disable-access-log-for-endpoints /health,/metrics,/v1/models',
  ]);
  expect(made.container).toEqual({
    name: 'vivarium-server-frognano-4b-n0nce',
    remover: '/usr/bin/docker',
  });
});

test('llama-server in a container: its part of the weights, a socket, no GPU without a plan for it', () => {
  const given = installation('llama-server', '6123', null, {
    command: ['/usr/bin/docker', 'run', '--user', '0:0', 'llama:full', '/app/llama-server'],
  });
  const plan: Partial<ServerPlan> = { device: 'cpu', gpus: [] };
  const made = createLlamaServerEngine().command(
    launchInput({
      installation: given,
      profile: { engine: 'llama-server', source: { kind: 'container', image: 'llama:full' } },
      model: { folder: '/models/frog', entry: '/models/frog/gguf/frog-00001-of-00002.gguf' },
      plan,
      env: { PATH: '/usr/bin', DOCKER_HOST: 'unix:///run/user/1000/docker.sock' },
    }),
  );
  if (made.kind !== 'program') throw new Error('not a program');
  const words = lines(made.argv);
  expect(words).toEqual(
    expect.arrayContaining([
      '--user 0:0',
      '--model /model/gguf/frog-00001-of-00002.gguf',
      '--host /run/vivarium/server.sock',
    ]),
  );
  expect(words.filter((word) => /^--(gpus|port)/.test(word))).toEqual([]);
  expect(made.env['DOCKER_HOST']).toBe('unix:///run/user/1000/docker.sock');
});

test.each([
  ['["name=seccomp,profile=builtin","name=rootless"]', '0:0'],
  [
    '["name=seccomp,profile=builtin"]',
    `${String(process.getuid?.())}:${String(process.getgid?.())}`,
  ],
])('the user of a container is ours outside: %s', async (options, user) => {
  const folder = temporaryFolder();
  writeProgram(
    join(folder, 'docker'),
    `#!/bin/sh
case "$*" in
  "info "*) echo '${options}';;
  "image inspect "*) echo sha256:1234;;
  *--version) echo 0.33.0;;
  *help*) echo "  --uds UDS";;
esac
`,
  );
  const { profile } = launchInput({ profile: { source } });
  const found = await createVllmEngine().probe(profile, { env: { PATH: `${folder}:/usr/bin` } });
  expect(found).toEqual({
    engine: 'vllm',
    command: [join(folder, 'docker'), 'run', '--user', user, source.image, 'vllm', 'serve'],
    version: '0.33.0',
    flags: new Set(['--uds']),
    choices: new Map(),
    shown: 'vllm 0.33.0 in the image vllm/vllm-openai:v0.33.0',
  });
});
