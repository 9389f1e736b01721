/** Cookies know no port: two servers on this machine must not take each other's. */
function nameOf(port: number): string {
  return `vivarium_${port}`;
}

/** Value of `Set-Cookie`; the browser forgets it when it ends. */
export function setCookie(port: number, value: string): string {
  return `${nameOf(port)}=${value}; Path=/; HttpOnly; SameSite=Strict`;
}

/** Our cookie's value in a `Cookie` header. */
export function readCookie(header: string | undefined, port: number): string | null {
  const prefix = `${nameOf(port)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length) ?? null;
}
