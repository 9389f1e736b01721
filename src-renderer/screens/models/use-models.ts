import type {
  ItemOf,
  LibraryModel,
  ServerSample,
  ServerStatus,
} from '../../../src-main/contract/index.ts';
import { useCall, useWatch } from '../../api/hooks.ts';

/** A model of the library with the newest of its server. */
export interface ModelEntry {
  model: LibraryModel;
  status: ServerStatus;
  /** `null` when it does not run. */
  sample: ServerSample | null;
}

export interface UseModels {
  entries: ModelEntry[];
  isPending: boolean;
  error: unknown;
  retry: () => void;
}

/** The library, with states and looks that are a second old at most. */
export function useModels(): UseModels {
  const list = useCall('models/list', {});
  const watch = useWatch('models/watch', { name: null });
  return {
    entries: withLooks(list.data ?? [], watch.last ?? []),
    isPending: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
  };
}

type ServerLook = ItemOf<'models/watch'>[number];
type ListRow = { model: LibraryModel; status: ServerStatus };

/** The newest of what list and watch say: either may be the later one. */
export function withLooks(list: readonly ListRow[], looks: readonly ServerLook[]): ModelEntry[] {
  const byName = new Map(looks.map((look) => [look.status.name, look]));
  return list.map(({ model, status }) => {
    const look = byName.get(model.name);
    const newest = look === undefined || look.status.since < status.since ? status : look.status;
    return { model, status: newest, sample: look?.sample ?? null };
  });
}
