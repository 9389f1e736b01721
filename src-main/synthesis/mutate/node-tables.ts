import type { Language } from '../types.ts';

export const ALL_LANGUAGES: readonly Language[] = [
  'python',
  'typescript',
  'tsx',
  'javascript',
  'go',
];
export const SCRIPT_LANGUAGES: readonly Language[] = ['typescript', 'tsx', 'javascript'];

type Table = Readonly<Record<Language, ReadonlySet<string>>>;

/** Names of node kinds in the grammars; TypeScript's are those of JavaScript. */
function table(python: string, script: string, go: string): Table {
  const kinds = (words: string): ReadonlySet<string> => new Set(words.split(' '));
  const scripts = kinds(script);
  return {
    python: kinds(python),
    typescript: scripts,
    tsx: scripts,
    javascript: scripts,
    go: kinds(go),
  };
}

export const FUNCTION = table(
  'function_definition',
  'function_declaration generator_function_declaration method_definition function_expression generator_function arrow_function',
  'function_declaration method_declaration',
);
/** Those that are functions of their own even within another. */
export const NAMED_FUNCTION = table(
  'function_definition',
  'function_declaration generator_function_declaration method_definition',
  'function_declaration method_declaration',
);
export const CLASS = table('class_definition', 'class_declaration class', '');
export const COMPARISON = table('comparison_operator', 'binary_expression', 'binary_expression');
export const BINARY = table(
  'binary_operator augmented_assignment',
  'binary_expression augmented_assignment_expression update_expression',
  'binary_expression assignment_statement inc_statement dec_statement',
);
export const BOOLEAN = table('boolean_operator', 'binary_expression', 'binary_expression');
export const IF = table('if_statement', 'if_statement', 'if_statement');
export const CONDITION = table(
  'if_statement elif_clause while_statement conditional_expression',
  'if_statement while_statement ternary_expression',
  'if_statement',
);
export const LOOP = table(
  'for_statement while_statement',
  'for_statement for_in_statement while_statement do_statement',
  'for_statement',
);
export const SWITCH = table(
  'match_statement',
  'switch_statement',
  'expression_switch_statement type_switch_statement select_statement',
);
export const CALL = table('call', 'call_expression new_expression', 'call_expression');
export const ARGUMENTS = table('argument_list', 'arguments', 'argument_list');
export const RETURN = table('return_statement', 'return_statement', 'return_statement');
/** What makes a function one more path: McCabe's count. */
export const BRANCH = table(
  'if_statement elif_clause for_statement while_statement except_clause case_clause boolean_operator conditional_expression for_in_clause if_clause',
  'if_statement for_statement for_in_statement while_statement do_statement catch_clause switch_case ternary_expression',
  'if_statement for_statement expression_case type_case communication_case',
);
/** Never looked into: types, decorators, imports, text. */
export const LEFT_ALONE = table(
  'comment string decorator type import_statement import_from_statement future_import_statement assert_statement global_statement nonlocal_statement',
  'comment string decorator type_annotation type_arguments type_parameters as_expression import_statement import interface_declaration type_alias_declaration regex',
  'comment interpreted_string_literal raw_string_literal rune_literal type_arguments composite_literal_type',
);
export const NUMBER: ReadonlySet<string> = new Set(['integer', 'number', 'int_literal']);
export const STRING: ReadonlySet<string> = new Set([
  'string',
  'concatenated_string',
  'template_string',
  'interpreted_string_literal',
  'raw_string_literal',
]);
