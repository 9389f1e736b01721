/** Splits a stream of bytes at NUL; the last record must end with one, too. */
export async function* nulRecords(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) throw new Error('output of git ended in the middle of a record');
}

/** As {@link nulRecords}, for output that is there as a whole. */
export function splitNul(bytes: Buffer): Buffer[] {
  const records: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
    records.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start !== bytes.length) throw new Error('output of git ended in the middle of a record');
  return records;
}
