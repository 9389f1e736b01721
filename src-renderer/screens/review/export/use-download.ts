import { useState } from 'react';
import type { ReviewExportFormat } from '../../../../src-main/contract/index.ts';
import { useServices } from '../../../services.ts';

/** Asks the core for the bytes and hands them to the shell, or to the page's own download. */
export function useDownload(session: string, attempt: string) {
  const { client, platform } = useServices();
  const [busy, setBusy] = useState(false);
  const [name, setName] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const reset = () => {
    setName(null);
    setError(null);
  };
  const start = async (format: ReviewExportFormat) => {
    reset();
    setBusy(true);
    try {
      const file = await client.call('review/download', { session, attempt, format });
      await platform.saveFile?.(file.name, bytesOf(file.base64));
      setName(file.name);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { busy, name, error, reset, start: (format: ReviewExportFormat) => void start(format) };
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
