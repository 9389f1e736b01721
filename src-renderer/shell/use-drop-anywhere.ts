import { useEffect } from 'react';
import { carriesFiles, droppedFolder } from '../platform/dropped.ts';
import { useServices } from '../services.ts';
import { shellText } from '../text/en/shell.ts';

/**
 * A folder that is dropped anywhere opens a new fix with it. What a screen took itself is left to it;
 * without this, a browser would leave the page for what was dropped.
 */
export function useDropAnywhere(): void {
  const { platform, navigate, notices } = useServices();
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (event.defaultPrevented || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const dropped = droppedFolder(event.dataTransfer, platform);
      if (dropped === null) return;
      if (dropped.kind === 'folder') {
        navigate({ screen: 'new', repository: dropped.path });
        return;
      }
      const action = {
        label: shellText.drop.typePath,
        run: () => navigate({ screen: 'new', repository: null }),
      };
      if (dropped.kind === 'file') notices.tell({ tone: 'info', text: shellText.drop.file });
      else notices.tell({ tone: 'info', text: shellText.drop.noPath, action });
    };
    globalThis.addEventListener('dragover', onDragOver);
    globalThis.addEventListener('drop', onDrop);
    return () => {
      globalThis.removeEventListener('dragover', onDragOver);
      globalThis.removeEventListener('drop', onDrop);
    };
  }, [platform, navigate, notices]);
}
