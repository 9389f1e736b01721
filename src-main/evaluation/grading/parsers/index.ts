import { VivariumError } from '../../../lib/index.ts';
import * as builds from './builds.ts';
import { django, sympy } from './django.ts';
import { doctest } from './doctest.ts';
import * as failures from './failures-only.ts';
import * as lines from './lines.ts';
import * as nested from './nested.ts';
import * as python from './pytest.ts';
import type { LogFacts, LogParser, Results } from './types.ts';

export type { LogFacts } from './types.ts';

/** Runners of projects that changed them. */
const immutableJs: LogParser = (log, facts) => {
  const number = facts.instanceId.split('-').at(-1);
  if (number === '2006') return lines.jest(log, facts);
  if (number === '2005') return lines.jestJson(log, facts);
  throw unknown(`parse_log_immutable_js for ${facts.instanceId}`);
};

const jekyll: LogParser = (log, facts) => {
  const number = facts.instanceId.split('-')[1] ?? '';
  if (['9141', '8047', '8167'].includes(number)) return builds.minitest(log, facts);
  if (['8761', '8771'].includes(number)) return lines.cucumber(log, facts);
  throw unknown(`parse_log_jekyll for ${facts.instanceId}`);
};

const next: LogParser = (log, facts) =>
  facts.version === '1.27' ? nested.nextCypress(log, facts) : nested.nextKarma(log, facts);

const lighthouse: LogParser = (log, facts) => {
  if (['9.5', '10.0', '10.2'].includes(facts.version)) return nested.lighthouseMocha(log, facts);
  const version = Number.parseFloat(facts.version);
  if (Number.isNaN(version)) throw unknown('parse_log_lighthouse without a version');
  return version >= 3 ? lines.jestFiles(log, facts) : builds.lighthouseJson(log, facts);
};

/** By the name that a row of SWE-bench 5 gives as `log_parser`. */
const PARSERS: Readonly<Record<string, LogParser>> = {
  ...Object.fromEntries(
    ['pytest', 'astroid', 'flask', 'marshmallow', 'pvlib', 'pyvista', 'sqlfluff', 'xarray'].map(
      (name) => [`parse_log_${name}`, python.pytest],
    ),
  ),
  ...Object.fromEntries(
    ['pytest_options', 'pydicom', 'requests', 'pylint'].map((name) => [
      `parse_log_${name}`,
      python.pytestOptions,
    ]),
  ),
  ...Object.fromEntries(
    ['pytest_v2', 'astropy', 'scikit', 'sphinx'].map((name) => [
      `parse_log_${name}`,
      python.pytestV2,
    ]),
  ),
  parse_log_django: django,
  parse_log_matplotlib: python.matplotlib,
  parse_log_seaborn: python.seaborn,
  parse_log_sympy: sympy,
  parse_log_bpmn_js: failures.bpmnJs,
  parse_log_calypso: nested.calypso,
  parse_log_carbon: lines.jestFiles,
  parse_log_chart_js: failures.chartJs,
  parse_log_eslint: failures.eslint,
  parse_log_grommet: lines.grommet,
  parse_log_highlightjs: nested.highlightjs,
  parse_log_immutable_js: immutableJs,
  parse_log_jest: lines.jest,
  parse_log_jest_json: lines.jestJson,
  parse_log_karma: nested.karma,
  parse_log_lighthouse: lighthouse,
  parse_log_marked: lines.marked,
  parse_log_next: next,
  parse_log_openlayers: failures.openlayers,
  parse_log_p5js: failures.p5js,
  parse_log_prismjs: builds.prismjs,
  parse_log_quarto_cli: builds.quarto,
  parse_log_react_pdf: lines.jestFiles,
  parse_log_tap: lines.tap,
  parse_log_vitest: lines.vitest,
  parse_log_doctest: doctest,
  parse_log_googletest: lines.googletest,
  parse_log_jq: lines.jq,
  parse_log_micropython_test: lines.micropython,
  parse_log_redis: lines.redis,
  parse_log_gotest: lines.gotest,
  parse_log_ant: lines.ant,
  parse_log_gradle_custom: builds.gradle,
  parse_log_maven: builds.maven,
  parse_log_phpunit: nested.phpunit,
  parse_log_cucumber: lines.cucumber,
  parse_log_jekyll: jekyll,
  parse_log_minitest: builds.minitest,
  parse_log_rspec_transformed_json: lines.rspecJson,
  parse_log_ruby_unit: lines.rubyUnit,
  parse_log_cargo: lines.cargo,
};

/** Names of all parsers that are known: those of SWE-bench 5.0.2. */
export function logParsers(): string[] {
  return Object.keys(PARSERS).toSorted();
}

/**
 * Results by test name from the log of a test run.
 * @throws VivariumError `task_invalid` for a parser that is not known.
 */
export function parseLog(name: string, log: string, facts: LogFacts): Results {
  const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
  if (parser === undefined) throw unknown(name);
  return parser(log, facts);
}

function unknown(what: string): VivariumError {
  return new VivariumError(
    'task_invalid',
    `There is no log parser ${what}.`,
    'Name one of SWE-bench 5, such as parse_log_pytest; older rows name none and need one.',
  );
}
