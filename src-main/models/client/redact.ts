/** A URL as it may be shown and recorded: no user, password, query or fragment. */
export function shownUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}`;
  } catch {
    return 'the endpoint';
  }
}

/** Text of a server with our secrets taken out; some echo the key they refuse. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    // Very short ones would tear holes into ordinary words.
    if (secret.length >= 4) clean = clean.replaceAll(secret, '***');
  }
  return clean;
}
