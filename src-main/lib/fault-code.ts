/** The system's code of a fault, such as `ENOENT`; empty where it has none. */
export function codeOf(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return '';
  return typeof fault.code === 'string' ? fault.code : '';
}
