import { common, createLowlight } from 'lowlight';

/** Loaded lazily by `highlight.ts` only: the grammars weigh more than the rest of the page. */
export const lowlight = createLowlight(common);
