import { describe, expect, it } from 'vitest'
import { looksOutside } from './jq-filter.ts'

describe('a filter of jq', () => {
  it.each([
    '.include[]',
    '.compilerOptions, .include',
    '.import',
    '.a.env.b',
    '.a?.env',
    '.v2.include',
    '.["env"]',
    '."import"',
    '{env: .env}',
    '{env}',
    '{ include , import: 1 }',
    '{name, env: .env, import: .x[0]}',
    '{a: [.b, .c], include: {env: 1}}',
    'getpath(["env"])',
    'select(.kind == "import")',
    '.[] | select(.text | contains("include")) | .name',
    'map(.environment)',
    'input_filename',
    String.raw`.include | "\(.a)"`,
  ])('stays with its input: %s', filter => {
    expect(looksOutside(filter)).toBe(false)
  })

  it.each([
    'env',
    '$ENV',
    '$ ENV',
    '$\nENV.PATH',
    'env.include',
    '.a | env',
    '. ,env',
    '1,env,2',
    '[1,env,2]',
    '.[0,env:2]',
    '[{a: 1}, env]',
    '{a: env}',
    '{(env|tostring): 1}',
    '{$ENV}',
    '{a: 1, $ENV}',
    '{a: if . then 1,env,2 else 3 end}',
    '{a: [1,env]}',
    '{"env": env}',
    '..env',
    '1.env',
    String.raw`"\(env)"`,
    String.raw`"\({env: env})"`,
    String.raw`"\"" + "\(env)"`,
    '. # "\n | env # "',
    '"#" | env',
    'include "x"; .',
    'import "x" as $d; $d',
    'import "x" as d {env: 1}; .',
    '"x" | modulemeta',
    'get_search_list',
    '$__loc__',
    '$__prog_args',
    'a::env',
    '.a::env',
  ])('looks outside of it: %s', filter => {
    expect(looksOutside(filter)).toBe(true)
  })
})
