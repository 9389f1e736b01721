import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Template } from '@huggingface/jinja';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { appFolder } from '../../src-main/lib/index.ts';

const FOLDER = path.join(appFolder(), 'resources/rollout');

interface Job {
  kind: string;
  metadata: { name: string };
  spec: {
    template: {
      spec: { containers: { image: string; env: { name: string; value: unknown }[] }[] };
    };
  };
}

/** As the trainer fills it in; its own filter quotes what is made a string. */
async function fill(input: object): Promise<Job> {
  const template = await readFile(path.join(FOLDER, 'job.yaml'), 'utf8');
  const plain = new Template(template.replaceAll('yaml_escape', 'string | tojson'));
  return parse(plain.render({ job_name: 'agl-rollout-1', input })) as Job;
}

const rows = async () => {
  const text = await readFile(path.join(FOLDER, 'tasks.jsonl'), 'utf8');
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
};

test('each row of the tasks makes a Job that says all of it', async () => {
  const tasks = await rows();
  expect(tasks.length).toBeGreaterThan(1);
  for (const task of tasks) {
    const job = await fill(task);
    expect(job).toMatchObject({ kind: 'Job', metadata: { name: 'agl-rollout-1' } });
    const [container] = job.spec.template.spec.containers;
    const env = Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []);
    expect({ ...env, image: container?.image }).toEqual({
      ...{ VIVARIUM_TASK: task['task'], VIVARIUM_SCAFFOLD: 'leaf', VIVARIUM_TIME_LIMIT: '2700' },
      ...{ DOCKER_HOST: 'unix:///run/engine/docker.sock', image: 'vivarium:latest' },
    });
  }
});
