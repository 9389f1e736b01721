/** What a person can hand on after a crash of the page: no content of sessions is in it. */
export function crashLog(
  error: unknown,
  where: string,
  page: { at: Date; hash: string; agent: string },
): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause =
    error instanceof Error && error.cause instanceof Error ? [`cause: ${error.cause.message}`] : [];
  return [
    `time: ${page.at.toISOString()}`,
    `place: ${page.hash}`,
    `browser: ${page.agent}`,
    '',
    stack,
    ...cause,
    '',
    'components:',
    where.trim(),
    '',
  ].join('\n');
}
