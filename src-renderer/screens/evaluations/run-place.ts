import { type CellsAsked, formatPlace, type Place } from '../../navigation.ts';

export type RunPlace = Extract<Place, { screen: 'evaluation' }>;

/** Address of the matrix with these cells. */
export function cellsHref(run: string, show: CellsAsked): string {
  return formatPlace({ screen: 'evaluation', run, tab: 'matrix', show });
}
