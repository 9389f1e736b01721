import { XMLParser } from 'fast-xml-parser';
import type { LogParser, Results } from './types.ts';

type Element = Record<string, unknown>;

/** doctest of C++ with `-s -r=xml`: a sub-case passes when all of its expressions do. */
export const doctest: LogParser = (log) => {
  const found: Results = new Map();
  const start = log.indexOf('<doctest');
  const end = start < 0 ? -1 : log.indexOf('</doctest>', start);
  if (end < 0) return found;
  for (const testCase of below(parse(log.slice(start, end + '</doctest>'.length)), 'TestCase')) {
    for (const subCase of below(testCase, 'SubCase')) {
      const passed = below(subCase, 'Expression').every((one) => one['@success'] === 'true');
      const name = `${nameOf(testCase)} > ${nameOf(subCase)}`;
      found.set(name, passed ? 'PASSED' : 'FAILED');
    }
  }
  return found;
};

function parse(text: string): Element {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: { enabled: true, maxTotalExpansions: 1_000_000 },
    parseTagValue: false,
    parseAttributeValue: false,
    maxNestedTags: 64,
  });
  try {
    return parser.parse(text, true) as Element;
  } catch {
    return {};
  }
}

/** All elements of a name at any depth below one, in the order of their names' first mention. */
function below(element: Element, name: string): Element[] {
  return Object.entries(element).flatMap(([key, value]) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.flatMap((item) => {
      if (typeof item !== 'object' || item === null) return [];
      const inner = item as Element;
      return key === name ? [inner, ...below(inner, name)] : below(inner, name);
    });
  });
}

function nameOf(element: Element): string {
  const name = element['@name'];
  return typeof name === 'string' ? name : 'None';
}
