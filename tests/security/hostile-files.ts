/** Files that are made to bring a parser down: deep, wide, long, cyclic and slow ones, in each language that is parsed. */
export function hostileFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [ending, language] of Object.entries(LANGUAGES))
    for (const [kind, text] of Object.entries(shapesOf(language))) files.set(`hostile/${kind}.${ending}`, text)
  for (const [name, text] of Object.entries(SCRIPTS)) files.set(`hostile/${name}`, text)
  for (const [name, text] of Object.entries(CYCLES)) files.set(`cyclic/${name}`, text)
  return files
}

const DEEP = 3000
const LONG = 12_000
const times = (text: string, count: number): string => text.repeat(count)
const nested = (open: string, close: string, core = '1', count = DEEP): string =>
  times(open, count) + core + times(close, count)

interface Language {
  /** A definition of one function whose name is given, with this expression in it. */
  holds(name: string, expression: string): string
  readonly comment: string
}

const braces =
  (head: string, tail = '}\n') =>
  (name: string, expression: string) =>
    `${head.replaceAll('NAME', name)}${expression}${tail}`

const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: { holds: braces('export function NAME() { return ', ' }\n'), comment: '//' },
  js: { holds: braces('function NAME() { return ', ' }\nmodule.exports = {}\n'), comment: '//' },
  vue: {
    holds: braces('<template></template><script>export function NAME() { return ', ' }</script>\n'),
    comment: '//',
  },
  py: { holds: (name, expression) => `def ${name}():\n    return ${expression}\n`, comment: '#' },
  go: { holds: braces('package a\nfunc NAME() int { return ', ' }\n'), comment: '//' },
  rs: { holds: braces('pub fn NAME() -> i32 { ', ' }\n'), comment: '//' },
  java: { holds: braces('class A { int NAME() { return ', '; } }\n'), comment: '//' },
  kt: { holds: braces('fun NAME() = ', '\n'), comment: '//' },
  c: { holds: braces('int NAME() { return ', '; }\n'), comment: '//' },
  cpp: { holds: braces('namespace a { int NAME() { return ', '; } }\n'), comment: '//' },
  cs: { holds: braces('class A { int NAME() { return ', '; } }\n'), comment: '//' },
  rb: { holds: (name, expression) => `def ${name}\n  ${expression}\nend\n`, comment: '#' },
  php: { holds: braces('<?php function NAME() { return ', '; }\n'), comment: '//' },
  swift: { holds: braces('func NAME() -> Int { return ', ' }\n'), comment: '//' },
}

function shapesOf({ holds, comment }: Language): Readonly<Record<string, string>> {
  return {
    'deep-round': holds('deepRound', nested('(', ')')),
    'deep-square': holds('deepSquare', nested('[', ']')),
    'deep-unclosed': holds('deepUnclosed', times('(', DEEP)),
    'long-sum': holds('longSum', `1${times('+1', LONG)}`),
    'long-signs': holds('longSigns', `${times('-', LONG)}1`),
    'wide-functions': Array.from({ length: 1500 }, (_, at) => holds(`wide${at}`, '1')).join(''),
    'slow-lines': `${holds('slowLines', '1')}${times('\n', 100_000)}`,
    'slow-opened': `${holds('slowOpened', '1')}${times(`/* "' `, 20_000)}`,
    'slow-garbage': holds('slowGarbage', times(`)}]([{"'\`<%${comment}\n`, 4000)),
  }
}

const SCRIPTS: Readonly<Record<string, string>> = {
  'deep-types.ts': `export type Deep = ${nested('Array<', '>', 'string')}\n`,
  'deep-objects.ts': `export const deepObjects = ${nested('{a:', '}')}\n`,
  'deep-functions.ts': nested('function deepFunction(){', '}', ''),
  'deep-classes.ts': `export const deepClasses = ${nested('class{a=', '}')}\n`,
  'deep-tags.tsx': `export const deepTags = ${nested('<a>', '</a>', '')}\n`,
  'deep-attributes.tsx': `export const deepAttributes = ${nested('<a b={', '}/>')}\n`,
  'deep-templates.ts': `export const deepTemplates = ${nested('`${', '}`')}\n`,
  'deep-patterns.ts': `const ${nested('[', ']', 'deepPattern')} = 1\n`,
  'deep-hidden.ts': `export const deepHidden = ${nested('(/*)*/', ')')}\n`,
  'deep-regular.js': `const deepRegular = ${nested('(/)"/,', ')')}\n`,
  'long-arrows.ts': `export const longArrows = ${times('()=>', LONG)}1\n`,
  'long-members.ts': `export const longMembers = a${times('.b', LONG)}\n`,
  'long-calls.ts': `export const longCalls = a${times('()', LONG)}\n`,
  'long-choices.ts': `if(a){}${times('else if(a){}', LONG / 4)}\nexport function longChoices() {}\n`,
  'long-conditions.ts': `export const longConditions = ${times('a?b:', LONG)}1\n`,
  'long-assignments.js': `${times('a=', LONG)}1\n`,
  'long-unions.ts': `export type LongUnions = 1${times('|1', LONG)}\n`,
  'long-keyof.ts': `export type LongKeyof = ${times('keyof ', LONG / 2)}a\n`,
  'long-conditional-type.ts': `export type LongType = ${times('A extends B ? C : ', LONG / 8)}1\n`,
  'long-line.ts': `export const longLine = '${times('x', 900_000)}'\n`,
  'long-name.ts': `export const ${times('n', 200_000)} = 1\n`,
  'slow-functions.ts': nested('function slow(a=()=>{', '}){}', '', 900),
  'slow-arrows.ts': `export const slowArrows = ${nested('(a=', ')=>1', '1', 900)}\n`,
  'slow-generics.ts': `export const slowGenerics = ${times('a<b<', LONG)}1\n`,
  'nothing.d.ts': '\0'.repeat(1000),
  'marks.ts': '\uFEFF'.repeat(10_000),
  'surrogates.ts': `export const s = '${times('\uD800', 10_000)}'\n`,
  'wide-line.c': times('a ', 60_000),
  'wide-line.ts': times('export function wideLine(){}', 8_000),
  'wide-line.tsx': `export const wideTags = ${times('<a b={', 20_000)}`,
  'deep-rules.css': nested('a{', '}', ''),
  'deep-rules.scss': nested('a{', '}', ''),
  'deep-rules.less': nested('a{', '}', ''),
  'long-indent.py':
    Array.from({ length: 900 }, (_, at) => `${times(' ', at)}if a:\n`).join('') + times(' ', 901) + 'b\n',
  'long-lambdas.py': `longLambdas = ${times('lambda: ', LONG / 4)}1\n`,
  'deep-generics.java': `class G { ${nested('A<', '>', 'B')} deepGenerics; }\n`,
  'deep-templates.cpp': `${nested('A<', '>', 'B')} deepTemplates;\n`,
  'deep-ends.rb': nested('if a\n', 'end\n', 'b\n'),
  'deep-settings/tsconfig.json': nested('{"a":', '}'),
  'deep-settings/package.json': nested('[', ']'),
}

const CYCLES: Readonly<Record<string, string>> = {
  'one.ts': "export * from './two.ts'\nexport * from './one.ts'\nexport function cycleOne() { return cycleTwo() }\n",
  'two.ts':
    "export * from './three.ts'\nimport { cycleOne } from './one.ts'\nexport function cycleTwo() { return cycleOne() }\n",
  'three.ts': "export * from './one.ts'\nexport class CycleThree extends CycleThree {}\n",
  'tsconfig.json': '{ "extends": "./tsconfig.json" }',
  'self.py': 'from .self import *\nclass A(A):\n    def cyclePython(self):\n        return self.cyclePython()\n',
  'self.go': 'package a\ntype A struct { *A }\nfunc (a A) cycleGo() { a.cycleGo() }\n',
  'self.kt': 'class A : B()\nopen class B : A()\nfun cycleKotlin() = cycleKotlin()\n',
  'self.java': 'class A extends B {}\nclass B extends A { void cycleJava() { cycleJava(); } }\n',
  'self.rs': 'mod a { pub use super::a::*; }\nfn cycle_rust() { cycle_rust() }\n',
  'self.rb': "require_relative 'self'\nclass A < A\n  def cycle_ruby = cycle_ruby\nend\n",
  'self.php': '<?php class A extends B {} class B extends A { function cyclePhp() { $this->cyclePhp(); } }\n',
  'self.c': '#include "self.c"\nint cycleC() { return cycleC(); }\n',
  'self.cs': 'class A : B {} class B : A { void CycleCs() { CycleCs(); } }\n',
  'self.swift': 'class A: B {}\nclass B: A { func cycleSwift() { cycleSwift() } }\n',
}
