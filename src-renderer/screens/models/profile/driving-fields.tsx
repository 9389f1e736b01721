import { profileText as text } from '../../../text/en/model-profile.ts';
import { NumberMember, TextMember } from './fields.tsx';
import type { Draft } from './draft.ts';
import styles from './profile.module.css';

export function DrivingFields({ draft }: { draft: Draft }) {
  return (
    <div className={styles.fields}>
      <TextMember draft={draft} code member="scaffold" label={text.scaffold} />
      <NumberMember {...{ draft, min: 1 }} member="steps" label={text.steps} />
      <NumberMember
        {...{ draft, min: 1, unit: text.tokens }}
        member="tokensPerTurn"
        label={text.tokensPerTurn}
      />
      <NumberMember
        {...{ draft, min: 1, unit: text.tokens, placeholder: text.noLimit }}
        member="inputTokens"
        label={text.inputTokens}
      />
      <TextMember
        {...{ draft, code: true, orNull: true, placeholder: text.none }}
        member="reasoningParser"
        label={text.reasoningParser}
      />
      <TextMember
        {...{ draft, code: true, orNull: true, placeholder: text.none }}
        member="callParser"
        label={text.callParser}
      />
    </div>
  );
}

export function SamplingFields({ draft }: { draft: Draft }) {
  const common = { draft, min: 0, placeholder: text.scaffolds };
  return (
    <div className={styles.fields}>
      <NumberMember
        {...{ ...common, max: 5, fraction: true }}
        member="sampling.temperature"
        label={text.temperature}
      />
      <NumberMember
        {...{ ...common, max: 1, fraction: true }}
        member="sampling.topP"
        label={text.topP}
      />
      <NumberMember {...common} member="sampling.topK" label={text.topK} />
      <NumberMember
        {...{ ...common, max: 1, fraction: true }}
        member="sampling.minP"
        label={text.minP}
      />
    </div>
  );
}
