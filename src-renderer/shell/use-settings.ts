import { useEffect } from 'react';
import { useCall, useConnection } from '../api/hooks.ts';
import { useServices } from '../services.ts';
import { applyLook } from '../styles/theme.ts';

/** Puts the settings into effect: theme, zoom, and a person's own keys. */
export function useSettings(): void {
  const { shortcuts } = useServices();
  const enabled = useConnection() === 'open';
  const { data } = useCall('settings/get', {}, { enabled });
  useEffect(() => {
    if (data === undefined) return undefined;
    shortcuts.setOwnKeys(data.shortcuts);
    const look = { theme: data.theme, zoom: data.zoom };
    applyLook(look);
    const contrast = matchMedia('(prefers-contrast: more)');
    const again = () => applyLook(look);
    contrast.addEventListener('change', again);
    return () => contrast.removeEventListener('change', again);
  }, [data, shortcuts]);
}
