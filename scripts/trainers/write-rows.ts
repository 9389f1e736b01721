/** Writes what the trainers read: `write-rows.ts FOLDER`, which must not be there. */
import { mkdir } from 'node:fs/promises';
import process from 'node:process';
import { writeTrainerRows } from '../../test/support/trainer-rows.ts';

const [folder = ''] = process.argv.slice(2);
await mkdir(folder);
await writeTrainerRows(folder);
