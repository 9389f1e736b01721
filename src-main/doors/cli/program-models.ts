import { type Command, Option } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

type Start = (action: Action) => void;

const NAME = 'name of the model, as `vivarium models list` has it';

const ADD_NOTE = `
PATH is a Hugging Face folder with safetensors, or a .gguf file (of a split one,
any part). The files are read, never changed; --copy takes them into Vivarium's
data folder, as from a USB stick. A SHA256SUMS beside them is checked.

Examples:
  vivarium models add /media/stick/FrogNano-4B --copy
  vivarium models add ~/models/qwen3-4b-q4_k_m.gguf --name qwen`;

const PROFILE_NOTE = `
Every member is described in docs/profiles.md. A change holds from the next
start on.

Examples:
  vivarium models profile set frog --set contextTokens=65536 --set device=cpu
  vivarium models profile set frog --engine-flag=--enforce-eager
  vivarium models profile export frog frog.yaml`;

const PLAN_NOTE = `
Nothing is started. Sizes are estimates; what was measured after a start stands
beside them in \`vivarium models status\`.
Exit codes: 0 it fits; 1 it would not fit or not start; 2 usage; 3 environment.`;

const START_NOTE = `
It runs until \`vivarium models stop\`, or until it had no request for the
profile's idleMinutes. \`vivarium fix --model NAME\` uses it; where none runs, fix
starts one that ends when nobody uses it any more. Ctrl-C stops the start.`;

const MODELS_NOTE = `
A first use:
  vivarium models add /media/stick/FrogNano-4B --copy
  vivarium models plan frognano-4b
  vivarium fix --repo ~/shop --issue-file bug.md --model frognano-4b`;

function withOverrides(command: Command): Command {
  return command
    .option(
      '--set <name=value...>',
      'replace a member of the profile, e.g. --set contextTokens=65536 --set device=cpu',
      parse.collect,
    )
    .option(
      '--engine-flag <flag...>',
      'a flag of the engine itself, e.g. --engine-flag=--enforce-eager',
      parse.collect,
    );
}

function addLibrary(models: Command, console: Console, start: Start): void {
  const load = () => import('./commands/models/library.ts');
  models
    .command('add')
    .description('take a model from disk into the library')
    .argument('<path>', 'folder or .gguf file')
    .option('--name <name>', 'name to give it', parse.nonEmpty)
    .option('--copy', 'copy the files instead of using them where they are')
    .option('--json', 'print one JSON object')
    .addHelpText('after', ADD_NOTE)
    .action((path: string, options) =>
      start(async () => (await load()).addModel(console, path, options)),
    );
  models
    .command('list')
    .description('list the models')
    .option('--json', 'print one JSON value')
    .action((options) => start(async () => (await load()).listModels(console, options)));
  models
    .command('show')
    .description('what the files of a model say about it')
    .argument('<name>', NAME)
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () => (await load()).showModel(console, name, options)),
    );
  models
    .command('verify')
    .description('read all files again and compare their checksums; 1 when one differs')
    .argument('<name>', NAME)
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () => (await load()).verifyModel(console, name, options)),
    );
  models
    .command('remove')
    .description('forget a model; deletes its files only if they were copied in')
    .argument('<name>', NAME)
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () => (await load()).removeModel(console, name, options)),
    );
  models
    .command('rename')
    .description('give a model another name')
    .argument('<name>', NAME)
    .argument('<new-name>', 'small letters, digits, . _ -')
    .option('--json', 'print one JSON object')
    .action((name: string, to: string, options) =>
      start(async () => (await load()).renameModel(console, name, to, options)),
    );
}

function addProfile(models: Command, console: Console, start: Start): void {
  const load = () => import('./commands/models/profile.ts');
  const profile = models
    .command('profile')
    .description('how a model is served and driven (YAML)')
    .addHelpText('after', PROFILE_NOTE);
  profile
    .command('show')
    .description('print the profile')
    .argument('<name>', NAME)
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () => (await load()).showProfile(console, name, options)),
    );
  withOverrides(profile.command('set').description('change members of the profile'))
    .argument('<name>', NAME)
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () => (await load()).setProfile(console, name, options)),
    );
  profile
    .command('export')
    .description('write the profile to a new file, or to stdout')
    .argument('<name>', NAME)
    .argument('[file]', 'a file that is not there yet')
    .action((name: string, file: string | undefined) =>
      start(async () => (await load()).exportProfile(console, name, file)),
    );
  profile
    .command('import')
    .description('replace the profile by that of a file')
    .argument('<name>', NAME)
    .argument('<file>', 'YAML, as export writes it')
    .option('--json', 'print one JSON object')
    .action((name: string, file: string, options) =>
      start(async () => (await load()).importProfile(console, name, file, options)),
    );
}

function addServers(models: Command, console: Console, start: Start): void {
  const load = () => import('./commands/models/servers.ts');
  const command = (name: string, text: string) =>
    models
      .command(name)
      .description(text)
      .argument('<name>', NAME)
      .option('--json', 'print one JSON object');
  withOverrides(command('plan', 'what would be started, whether it fits, and why'))
    .addHelpText('after', PLAN_NOTE)
    .action((name: string, options) =>
      start(async () => (await load()).planServer(console, name, options)),
    );
  withOverrides(command('start', 'start the server in the background and wait until it is ready'))
    .option('--foreground', 'keep it here until Ctrl-C')
    .option('--force', 'start although the plan says that it does not fit')
    .addHelpText('after', START_NOTE)
    .action((name: string, options) =>
      start(async () => (await load()).startServer(console, name, options)),
    );
  withOverrides(models.command('keep', { hidden: true }).argument('<name>', NAME))
    .option('--force')
    .option('--while-used')
    .action((name: string, options) =>
      start(async () => (await load()).keepServer(console, name, options)),
    );
  command('stop', 'stop the server')
    .option('--force', 'also while it is in use')
    .action((name: string, options) =>
      start(async () => (await load()).stopServer(console, name, options)),
    );
  withOverrides(command('restart', 'stop and start it with the profile as it is now'))
    .option('--force', 'also while it is in use, and although it does not fit')
    .action((name: string, options) =>
      start(async () => (await load()).restartServer(console, name, options)),
    );
  models
    .command('logs')
    .description('print the log of the last start')
    .argument('<name>', NAME)
    .option('--lines <n>', 'lines at most, 100 where it is not said', parse.wholeNumber(1))
    .option('--follow', 'go on with new lines until Ctrl-C')
    .action((name: string, options) =>
      start(async () => (await load()).serverLogs(console, name, options)),
    );
}

function addMeasures(models: Command, console: Console, start: Start): void {
  models
    .command('status')
    .description('state, memory and load of one server, or of all that are not stopped')
    .argument('[name]', NAME)
    .addOption(new Option('--watch', 'draw it again each second until Ctrl-C').conflicts(['json']))
    .option('--json', 'print one JSON value')
    .action((name: string | undefined, options) =>
      start(async () =>
        (await import('./commands/models/status.ts')).serverStatus(console, name, options),
      ),
    );
  withOverrides(
    models
      .command('bench')
      .description('measure load time, prompt and generation speed, and the prefix cache')
      .argument('<name>', NAME),
  )
    .option('--force', 'start although the plan says that it does not fit')
    .option('--json', 'print one JSON object')
    .action((name: string, options) =>
      start(async () =>
        (await import('./commands/models/bench.ts')).benchServer(console, name, options),
      ),
    );
}

/** `vivarium models ...`. */
export function addModels(program: Command, console: Console, start: Start): void {
  const models = program
    .command('models')
    .description('models on disk, and the servers that run them')
    .addHelpText('after', MODELS_NOTE);
  addLibrary(models, console, start);
  addProfile(models, console, start);
  addServers(models, console, start);
  addMeasures(models, console, start);
}
