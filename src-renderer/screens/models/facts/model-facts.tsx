import type { LibraryModel, ModelFacts } from '../../../../src-main/contract/index.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Age } from '../../../components/figures.tsx';
import { type Fact, KeyValue } from '../../../components/key-value.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatSize } from '../../../format.ts';
import { modelsText } from '../../../text/en/models.ts';
import { formatParameters } from '../figures.ts';
import styles from '../models.module.css';

const text = modelsText.facts;

/** What the headers of the files say. */
export function ModelFactsList({ model }: { model: LibraryModel }) {
  const { facts } = model;
  return (
    <KeyValue
      facts={[
        { key: text.architecture, value: <VisibleText text={facts.architecture} /> },
        { key: text.parameters, value: parametersOf(facts) },
        { key: text.quantization, value: <VisibleText text={facts.quantization} /> },
        { key: text.weightBytes, value: formatSize(facts.weightBytes) },
        ...typesOf(facts),
        { key: text.context, value: text.tokens(formatCount(facts.trainedContextTokens)) },
        {
          key: text.layers,
          value: text.layersFull(facts.layers.total, formatCount(facts.layers.hiddenSize)),
        },
        { key: text.attention, value: <Attention layers={facts.layers} /> },
        { key: text.vocabulary, value: formatCount(facts.vocabularySize) },
        { key: text.template, value: <Template template={facts.chatTemplate} /> },
        { key: text.format, value: facts.format },
        { key: text.preset, value: <VisibleText text={model.preset} /> },
        { key: text.names, value: <Lines lines={facts.names} /> },
      ]}
    />
  );
}

/** Where the files are and how they came into the library. */
export function PlaceFacts({ model }: { model: LibraryModel }) {
  const { sums } = model;
  return (
    <KeyValue
      facts={[
        {
          key: text.folder,
          value: (
            <span className={styles.copied}>
              <code>
                <VisibleText text={model.folder} />
              </code>
              <CopyButton text={model.folder} />
            </span>
          ),
        },
        { key: text.kept, value: model.copied ? text.copied : text.inPlace },
        { key: text.added, value: <Age at={model.addedAt} /> },
        {
          key: modelsText.files.title,
          value: sums === null ? text.noSums : text.sums(sums.file, sums.checked),
        },
        {
          key: text.sum,
          value: (
            <span className={styles.copied}>
              <code className={styles.sum}>{model.sha256}</code>
              <CopyButton text={model.sha256} />
            </span>
          ),
        },
      ]}
    />
  );
}

function parametersOf({ parameters }: ModelFacts): string {
  if (parameters === null) return formatCount(null);
  return `${formatParameters(parameters)} (${formatCount(parameters)})`;
}

/** Types of tensors where a file holds several. */
function typesOf({ weightTypes }: ModelFacts): Fact[] {
  const types = Object.entries(weightTypes ?? {}).toSorted(([, one], [, other]) => other - one);
  if (types.length < 2) return [];
  return [
    {
      key: text.types,
      value: <Lines lines={types.map(([type, bytes]) => `${type} ${formatSize(bytes)}`)} />,
    },
  ];
}

function Attention({ layers }: { layers: ModelFacts['layers'] }) {
  const lines = [
    ...(layers.fullAttention > 0 ? [text.fullAttention(layers.fullAttention)] : []),
    ...(layers.sliding === null
      ? []
      : [text.sliding(layers.sliding.layers, formatCount(layers.sliding.windowTokens))]),
    ...(layers.recurrent === null
      ? []
      : [text.recurrent(layers.recurrent.layers, formatSize(layers.recurrent.bytesPerSequence))]),
    text.heads(layers.kvHeads, layers.keySize, layers.valueSize),
  ];
  return <Lines lines={lines} />;
}

function Template({ template }: { template: ModelFacts['chatTemplate'] }) {
  const { source, tools, callFormat, thinking } = template;
  const words = [
    text.templateFrom(source),
    tools ? text.tools : text.noTools,
    ...(callFormat === null ? [] : [text.calls(callFormat)]),
    ...(thinking ? [text.thinking] : []),
  ];
  return <VisibleText text={words.join(' · ')} />;
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <VisibleText text={line} />
        </li>
      ))}
    </ul>
  );
}
