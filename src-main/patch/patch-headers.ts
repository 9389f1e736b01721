const HEADER = Buffer.from('diff --git ');

/**
 * Quotes the names in header lines that `git apply` would misread: where a folder's name ends in a
 * blank, it takes the rest for an absolute name (seen with git 2.39) and refuses files without text
 * lines. Quoted names are read the same everywhere. Lines of content never begin like a header.
 */
export function quoteAmbiguousHeaders(patch: Buffer): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  for (let start = patch.indexOf(HEADER); start !== -1; start = patch.indexOf(HEADER, start + 1)) {
    if (start > 0 && patch[start - 1] !== 10) continue;
    const end = patch.indexOf(10, start);
    const line = patch.subarray(start, end);
    if (!line.includes(' /') || line[HEADER.length] === 34) continue;
    // `a/NAME b/NAME`: git leaves only names of plain ASCII unquoted, and both are the same.
    const names = line.subarray(HEADER.length).toString('latin1');
    const name = names.slice(2, (names.length - 1) / 2);
    if (names !== `a/${name} b/${name}`) continue;
    parts.push(patch.subarray(copied, start), Buffer.from(`diff --git "a/${name}" "b/${name}"`));
    copied = end;
  }
  return copied === 0 ? patch : Buffer.concat([...parts, patch.subarray(copied)]);
}
