import { describe, expect, it } from 'vitest'
import { DEEPEST, isTooDeep } from './nesting.ts'

const MANY = 3 * DEEPEST
const deep = (open: string, close: string, core = '1'): string => open.repeat(MANY) + core + close.repeat(MANY)

describe('nesting', () => {
  it.each([
    ['parentheses', 'typescript', `export const a = ${deep('(', ')')}`],
    ['brackets', 'typescript', `export const a = ${deep('[', ']')}`],
    ['objects', 'typescript', `export const a = ${deep('{a:', '}')}`],
    ['functions', 'javascript', deep('function f(){', '}', '')],
    ['blocks that are never closed', 'javascript', '{'.repeat(MANY)],
    ['type arguments', 'typescript', `type A = ${deep('A<', '>')}`],
    ['tags', 'typescript', `const a = ${deep('<a>', '</a>', '')}`],
    ['attributes', 'typescript', `const a = ${deep('<a b={', '}/>')}`],
    ['templates', 'typescript', `const a = ${deep('`${', '}`')}`],
    ['closers in comments', 'typescript', `const a = ${deep('(/*)*/', ')')}`],
    ['closers in line comments', 'typescript', `const a = ${deep('(//)\n', ')')}`],
    ['closers in texts', 'typescript', `const a = ${deep('(")"+', ')')}`],
    ['closers in templates', 'typescript', `const a = ${deep('(`)`+', ')')}`],
    ['closers in patterns', 'typescript', `const a = ${deep('(/)/,', ')')}`],
    ['patterns that hold a quote', 'typescript', `const a = ${deep('(/"/,"))",', ')')}`],
    ['closers in texts with escapes', 'typescript', `const a = ${deep('("\\")"+', ')')}`],
    ['code behind a quote that is none', 'rust', `fn a<'x>() { ${deep('(', ')')} }`],
    ['texts of many lines', 'python', `a = """\n'"""${deep('(', ')')}`],
    ['closers in Python comments', 'python', `a = ${deep('(#)\n', ')')}`],
    ['closers in Ruby comments', 'ruby', `a = ${deep('[#]\n', ']')}`],
    ['Go', 'go', `var a = ${deep('(', ')')}`],
    ['closers in Go texts', 'go', `var a = ${deep('(`)`+', ')')}`],
  ])('is too deep with %s', (_what, language, text) => {
    expect(isTooDeep(text, language)).toBe(true)
  })

  it.each([
    ['many in a row', 'typescript', 'f(a[0], { b: 1 });\n'.repeat(MANY)],
    ['a long list', 'typescript', `export const a = [${'[1],'.repeat(MANY)}]`],
    ['comparisons', 'typescript', 'if (a<b) { c = a<b; }\n'.repeat(MANY)],
    ['arrows', 'typescript', 'x.map(a=>b=>c);\n'.repeat(MANY)],
    ['type arguments side by side', 'typescript', 'let a: Map<string, Set<number>>;\n'.repeat(MANY)],
    ['tags side by side', 'typescript', `const a = <ul>${'<li>(one)</li><br/>'.repeat(MANY)}</ul>`],
    ['divisions', 'javascript', '(a/b)+c(d)/(e);'.repeat(MANY)],
    ['templates side by side', 'javascript', 'f(`a${b}c${`d${e}`}`);'.repeat(MANY)],
    ['closed brackets in comments', 'python', 'f(a)  # (see above)\n'.repeat(MANY)],
    ['characters', 'rust', "match c { '{' => 1, '}' => 2, _ => 3 }\n".repeat(MANY)],
    ['a long chain', 'typescript', `export const a = 1${'+1'.repeat(100_000)}`],
  ])('is not too deep with %s', (_what, language, text) => {
    expect(isTooDeep(text, language)).toBe(false)
  })
})
