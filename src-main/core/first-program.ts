/** What a shell knows by itself, or needs to take a command apart. */
const OF_SHELL = new Set(
  `! . : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc
  declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for
  function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd
  read readarray readonly return select set shift shopt source suspend test then time times trap true
  type typeset ulimit umask unalias unset until wait while { }`.split(/\s+/),
);

/** `A=1 B="two words" `, and `cd FOLDER && ` after or before them. */
const BEFORE =
  /^(?:[A-Za-z_]\w*=(?:"[^"$`\\]*"|'[^']*'|[^\s"'$`\\;&|<>()]*)\s+|cd\s+[^\s;&|]+\s*&&\s*)*/;

/**
 * The program that a command starts with, as far as its text alone tells: `null` for a path, for
 * what a shell does itself, and for anything that a shell would have to work out.
 */
export function firstProgram(command: string): string | null {
  const rest = command.trim().replace(BEFORE, '');
  const word = /^[\w.+-]+(?=$|[\s;&|<>])/.exec(rest)?.[0] ?? null;
  return word === null || OF_SHELL.has(word) ? null : word;
}
