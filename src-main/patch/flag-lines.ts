/** An assertion of the common test libraries, by how a line of it looks. */
const ASSERTION =
  /(?<![\w.])assert(?:\w*)\b|\bself\.(?:assert|fail)\w*|(?<![\w.])expect\w*\s*[(<{]|\.should\b|\bt\.(?:error|fatal|fail)\w*\s*\(|\b(?:require|assert|check|testify)\.\w+\s*\(|\b(?:ASSERT|EXPECT|CHECK|REQUIRE)(?:_\w+)?\s*\(|\b(?:pytest\.)?raises\s*\(|\bassert[A-Z_]\w*\s*[(!]|\bmust_(?:equal|raise|be)\b|\.rejects\b|\.toThrow\b/;

/** A test that is not run, or may fail, from now on. */
const SKIP =
  /\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip|exit)\s*\(|\bunittest\.(?:skip\w*|expectedFailure|SkipTest)\b|@(?:skip\w*|expectedFailure|Disabled\w*|Ignore)\b|\bself\.skipTest\s*\(|\bSkipTest\b|\bcollect_ignore\w*|--(?:deselect|ignore)\b|(?<![\w.])x(?:it|test|describe|context|specify)\s*\(|\b(?:it|test|describe|context|suite)\.(?:skip|todo|only|failing|fails|skipIf|runIf)\b|(?<![\w.])f(?:it|describe|context)\s*\(|\bt\.Skip\w*\s*\(|#\[ignore\b|\[(?:Ignore|Skip)\b|(?<![\w.])pending\s*\(|\bmarkTest(?:Skipped|Incomplete)\b|\b(?:skip|todo)\s*:\s*(?:true|['"`])|\bGTEST_SKIP\b|\bassumeTrue\s*\(\s*false\b/;

/** What changes how tests are found or how their outcome is told. */
const JUDGING =
  /\bpytest_(?:sessionfinish|runtest_makereport|runtest_call|runtest_protocol|collection_modifyitems|ignore_collect|unconfigure|report_teststatus)\b|\bexitstatus\b|\bos\._exit\s*\(|\baddopts\b|\btestpaths\b|\bpython_files\b|\bpassWithNoTests\b|\|\|\s*true\b|\bpytest\b.*\bsys\.modules\b|\bPYTEST_CURRENT_TEST\b|\bJEST_WORKER_ID\b|\bVITEST\b|\bNODE_ENV\b.*['"]test['"]/;

/** Calls that reach the network, start a process or run text as code. */
const RISKY: readonly [string, RegExp][] = [
  [
    'runs text as code',
    /(?<![\w.$])(?:eval|exec|execfile|compile|__import__)\s*\(|\bbuiltins\b|\bnew\s+Function\s*\(|(?<![\w.$])Function\s*\(|\bvm\.(?:run\w+|Script)\b|\bset(?:Timeout|Interval)\s*\(\s*['"`]|\b(?:pickle|marshal|cPickle|dill|shelve)\.(?:loads?|Unpickler)\b|\byaml\.(?:unsafe_)?load\s*\(|\bimportlib\b|\bimport_module\s*\(|\bctypes\b|\binstance_eval\b|\bclass_eval\b|\bcreate_function\s*\(|\bdlopen\s*\(|\bMethodHandles\b/,
  ],
  [
    'starts a process',
    /\bsubprocess\b|\bos\.(?:system|popen|exec\w+|spawn\w+|posix_spawn\w*|fork|startfile)\b|\bpty\.spawn\b|\bcommands\.getoutput\b|\bchild_process\b|\bexeca\b|\bspawn(?:Sync)?\s*\(|\bexec(?:File)?Sync\s*\(|\bBun\.(?:spawn|\$)|\bDeno\.(?:Command|run)\b|(?<![\w.])(?:system|popen|execv\w*|execl\w*|posix_spawn\w*|shell_exec|passthru|proc_open|pcntl_exec|ShellExecute\w*|CreateProcess\w*)\s*\(|\bexec\.Command\b|\bsyscall\.Exec\b|\bRuntime\.getRuntime\b|\bProcessBuilder\b|\bProcess\.(?:Start|run|spawn)\b|\bstd::process\b|\bCommand::new\b|\b(?:Open3|IO\.popen|Kernel\.(?:system|exec|spawn))\b|%x[{[(]|\basyncio\.create_subprocess\w*/,
  ],
  [
    'reaches the network',
    /\bsockets?\.(?:socket|create_connection|connect)\b|\bimport\s+(?:socket|requests|httpx|aiohttp|urllib\d?|ftplib|smtplib|telnetlib|paramiko|websockets?)\b|\bfrom\s+(?:socket|requests|httpx|aiohttp|urllib(?:\.request)?|http\.client|ftplib|smtplib)\s+import\b|\burllib\.request\b|\burlopen\s*\(|\bhttp\.client\b|\brequests\.(?:get|post|put|patch|delete|head|request|Session)\b|\bhttpx\.\w+\s*\(|\baiohttp\.\w+|\b(?:XMLHttpRequest|WebSocket|EventSource)\s*\(|(?<![\w.])fetch\s*\(|\bsendBeacon\s*\(|(?:require\s*\(|from\s+)\s*['"](?:node:)?(?:https?|net|tls|dgram|dns|http2|undici|axios|node-fetch)['"]|\baxios\b|\bnet\.(?:connect|createConnection|Dial\w*|Listen)\b|\bhttp\.(?:Get|Post|NewRequest|request|get)\b|\b(?:TcpStream|UdpSocket|TcpListener)::|\breqwest\b|\bHttpClient\b|\bURLConnection\b|\bnew\s+(?:Server)?Socket\s*\(|\bNet::HTTP\b|\bcurl_(?:init|exec|easy_\w+)\b|\bfsockopen\s*\(|\/dev\/tcp\/|(?:^|[|;&`(\s])(?:curl|wget|nc|ncat|netcat|socat|ssh|scp|rsync|telnet)\s+[-\w"'$./:]/,
  ],
];

export function isAssertion(text: string): boolean {
  return ASSERTION.test(text);
}

export function isSkip(text: string): boolean {
  return SKIP.test(text);
}

export function isJudging(text: string): boolean {
  return JUDGING.test(text);
}

/** What risky things the calls of a line do; empty for most lines. */
export function riskyCalls(text: string): string[] {
  return RISKY.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}

/** Letters that look like those of the Latin alphabet but are not. */
const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b3\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c4\u03c5\u03c9\u03c7\u03f2\u03f3]/u;

/** Forms that compilers read as plain letters while they look different to a search. */
const COMPATIBILITY = /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u2100-\u214f\u2160-\u217f]/u;

/** Words of a line that mix look-alike letters into Latin ones. */
export function mixedWords(text: string): string[] {
  if (isAscii(text)) return [];
  const words = text.match(/[\p{L}\p{M}\p{Nl}]+/gu) ?? [];
  return words.filter(
    (word) => /[a-z]/i.test(word) && (LOOK_ALIKE.test(word) || COMPATIBILITY.test(word)),
  );
}

/** A mixed word with its strange letters named. */
export function describeMixed(word: string): string {
  const strange = Array.from(word).filter(
    (letter) => LOOK_ALIKE.test(letter) || COMPATIBILITY.test(letter),
  );
  const codes = [...new Set(strange)].map(
    (letter) =>
      `${letter} = U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${word} (${codes.join(', ')})`;
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the range of ASCII
  return /^[\u0000-\u007f]*$/.test(text);
}
