import type { LayerFacts } from '../servers/library-types.ts';

/** `both` = attention and a recurrent state side by side; `none` = no memory of its own. */
export type LayerKind = 'full' | 'sliding' | 'recurrent' | 'both' | 'none';

export interface LayerSizes {
  kind: LayerKind;
  kvHeads: number;
}

export interface LayerInput {
  hiddenSize: number;
  layers: readonly LayerSizes[];
  /** Of the sliding layers. */
  windowTokens: number;
  trainedContextTokens: number | null;
  /** Of one recurrent layer and one sequence. */
  stateBytes: number;
  keySize: number;
  valueSize: number;
}

/** Whether a layer, counted from 0, is the last of its period: the full one among sliding ones. */
export function periodic(layer: number, period: number): boolean {
  return (layer + 1) % Math.max(1, Math.floor(period)) === 0;
}

/** Counts the kinds. Where layers differ in their heads, the mean is told, rounded up. */
export function layerFacts(input: LayerInput): LayerFacts {
  // A window that the context never fills is full attention.
  const isShort = input.windowTokens < (input.trainedContextTokens ?? Infinity);
  const kinds = input.layers.map(({ kind }) => (kind === 'sliding' && !isShort ? 'full' : kind));
  const count = (...wanted: LayerKind[]): number =>
    kinds.filter((kind) => wanted.includes(kind)).length;
  const sliding = count('sliding');
  const recurrent = count('recurrent', 'both');
  return {
    total: input.layers.length,
    hiddenSize: input.hiddenSize,
    fullAttention: count('full', 'both'),
    sliding: sliding === 0 ? null : { layers: sliding, windowTokens: input.windowTokens },
    recurrent:
      recurrent === 0
        ? null
        : { layers: recurrent, bytesPerSequence: recurrent * input.stateBytes },
    kvHeads: meanHeads(input.layers),
    keySize: Math.ceil(input.keySize),
    valueSize: Math.ceil(input.valueSize),
  };
}

/** Of the layers that grow with the conversation, else of those with a window. */
function meanHeads(layers: readonly LayerSizes[]): number {
  for (const kinds of [['full', 'both'], ['sliding']]) {
    const heads = layers.filter(({ kind }) => kinds.includes(kind)).map(({ kvHeads }) => kvHeads);
    if (heads.length > 0) {
      return Math.ceil(heads.reduce((sum, value) => sum + value, 0) / heads.length);
    }
  }
  return 0;
}
