/** A network namespace in which nothing but loopback exists, and what was tried to leave it. */
import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Of a whole namespace, since it began; all of its processes together. */
export interface Traffic {
  /** Connections and datagrams to an address that no route leads to: all but loopback. */
  refusedByRouting: number;
  /** Datagrams sent at all: each name that is looked up is one, wherever the name server is. */
  datagrams: number;
  /** TCP connections that were begun, over loopback. */
  connections: number;
  /** Interfaces that are up. */
  interfaces: string[];
}

export interface Lonely {
  /** Exit code of each command, in order. */
  codes: number[];
  stdout: string[];
  stderr: string[];
  traffic: Traffic;
}

/** One word of a shell command that stands for exactly this text. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const END = '--end-of-command--';

/**
 * Brings loopback up with what every Debian has (`ip` is not in a minimal one), runs the commands,
 * and prints the kernel's own counters at the end. Its arguments: the mark between the two kinds of
 * counters, the folder for results, the commands.
 */
const INSIDE = String.raw`
perl -MSocket -e 'my $lo = pack("a16 s x14", "lo", 0x49); socket(my $s, AF_INET, SOCK_DGRAM, 0) or die $!; ioctl($s, 0x8914, $lo) or die $!' || exit 99
end=$1 folder=$2 count=0
shift 2
while [ $# -gt 0 ]; do
  words=$1; shift
  count=$((count + 1))
  sh -c "$words" >"$folder/$count.out" 2>"$folder/$count.err"
  echo $? >"$folder/$count.code"
done
cat /proc/net/snmp /proc/net/snmp6
echo "$end"
cat /proc/net/dev
`;

/** Runs shell commands one after the other in one new namespace; results go to files of `folder`. */
export async function runLonely(
  commands: readonly string[],
  folder: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; read: (file: string) => Promise<string> },
): Promise<Lonely> {
  // Who is not root may do this as root of a user namespace of its own.
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-current-user'];
  const words = [...asRoot, '--net', 'sh', '-c', INSIDE, 'sh', END, folder, ...commands];
  const { stdout } = await execute('unshare', words, { cwd: options.cwd, env: options.env });
  const [counters = '', devices = ''] = stdout.split(`${END}\n`);
  const texts = (ending: string) =>
    Promise.all(commands.map((_, index) => options.read(`${folder}/${index + 1}.${ending}`)));
  return {
    codes: (await texts('code')).map(Number),
    stdout: await texts('out'),
    stderr: await texts('err'),
    traffic: {
      refusedByRouting: counter(counters, 'Ip', 'OutNoRoutes') + plain(counters, 'Ip6OutNoRoutes'),
      datagrams: counter(counters, 'Udp', 'OutDatagrams') + plain(counters, 'Udp6OutDatagrams'),
      connections: counter(counters, 'Tcp', 'ActiveOpens'),
      interfaces: [...devices.matchAll(/^\s*([\w.-]+):/gm)].map(([, name = '']) => name),
    },
  };
}

/** A counter of `/proc/net/snmp`: a line of names, then a line of numbers. */
function counter(text: string, protocol: string, name: string): number {
  const [names, values] = text
    .split('\n')
    .filter((line) => line.startsWith(`${protocol}: `))
    .map((line) => line.split(' '));
  const value = values?.[names?.indexOf(name) ?? -1];
  if (value === undefined) throw new Error(`The kernel counts no ${protocol} ${name}.`);
  return Number(value);
}

/** A counter of `/proc/net/snmp6`; a kernel without IPv6 has none of them. */
function plain(text: string, name: string): number {
  return Number(new RegExp(`^${name}\\s+(\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
