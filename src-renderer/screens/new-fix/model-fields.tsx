import type { ScaffoldRow } from '../../../src-main/contract/index.ts';
import { useCall, useConnection } from '../../api/hooks.ts';
import { ComboBox, type Option } from '../../components/select.tsx';
import { formatPlace } from '../../navigation.ts';
import { stateWord } from '../../components/state-mark.tsx';
import { newFixText } from '../../text/en/new-fix.ts';
import { visibleLine } from '../../visible.ts';

export interface ModelFieldProps {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}

/** A model of the library with its state, or anything that can be typed. */
export function ModelField({ value, onChange, placeholder }: ModelFieldProps) {
  const enabled = useConnection() === 'open';
  const { data } = useCall('models/list', {}, { enabled });
  const options: Array<Option<string>> = (data ?? []).map(({ model, status }) => ({
    id: model.name,
    label: model.name,
    detail: newFixText.modelDetail(
      `${visibleLine(model.facts.architecture)} ${model.facts.quantization}`,
      stateWord('server', status.state),
    ),
  }));
  return (
    <ComboBox
      label={newFixText.model}
      hint={data?.length === 0 ? <NoModels /> : newFixText.modelHint}
      value={value}
      onChange={onChange}
      options={options}
      placeholder={placeholder ?? newFixText.modelPlaceholder}
    />
  );
}

function NoModels() {
  return (
    <>
      {newFixText.noModels} <a href={formatPlace({ screen: 'models' })}>{newFixText.addModel}</a>{' '}
      {newFixText.modelHint}
    </>
  );
}

/** Scaffolds that come with the app; their files tell what they are for. */
export function useScaffolds(): ScaffoldRow[] {
  const enabled = useConnection() === 'open';
  return useCall('models/scaffolds', {}, { enabled }).data ?? NONE;
}

const NONE: ScaffoldRow[] = [];

export function ScaffoldField({ value, onChange, placeholder }: ModelFieldProps) {
  const options: Array<Option<string>> = useScaffolds().map(({ name, title, description }) => ({
    id: name,
    label: name,
    detail: visibleLine(description === '' ? title : description),
  }));
  return (
    <ComboBox
      label={newFixText.scaffold}
      hint={newFixText.scaffoldHint}
      value={value}
      onChange={onChange}
      options={options}
      placeholder={placeholder ?? newFixText.scaffoldPlaceholder}
    />
  );
}
