import { describe, expect, it } from 'vitest'
import type { Code } from '../../../kernel/error.ts'
import { replaceText, type Edit } from './replace-text.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'

/** One edit as a model writes it: the file, the edit, and the file afterwards or the failure. */
interface Case {
  readonly what: string
  readonly file: string
  readonly edit: Edit
  readonly gives: string | { readonly code: Code; readonly line?: number }
}

const lines = (old: string, now: string): Edit => ({ old, new: now, match: 'lines' })
const exact = (old: string, now: string): Edit => ({ old, new: now })

const PYTHON = `class Cart:
    def __init__(self):
        self.items = []

    def add(self, item):
        if item:
            self.items.append(item)
        return self

    def total(self):
        return sum(self.items)
`
const TABS = 'func main() {\n\tif ok {\n\t\trun(1)\n\t}\n}\n'
const TWICE = 'function a() {\n  log("x")\n  done()\n}\n\nfunction b() {\n  log("x")\n  done()\n}\n'
const CURLY = 'He said \u201chello\u201d \u2013 and left.\nIt\u2019s late.\n'
const change = (file: string, from: string, to: string): string => {
  if (!file.includes(from)) throw new Error(`The case is wrong: ${from}`)
  return file.replace(from, () => to)
}

const CASES: readonly Case[] = [
  // Exact text, as most edits are.
  {
    what: 'a whole line',
    file: PYTHON,
    edit: exact('        return self\n', '        return self.items\n'),
    gives: change(PYTHON, 'return self\n', 'return self.items\n'),
  },
  {
    what: 'a block that starts after its indentation',
    file: PYTHON,
    edit: exact('if item:\n            self.items', 'if item is not None:\n            self.items'),
    gives: change(PYTHON, 'if item:', 'if item is not None:'),
  },
  {
    what: 'a dollar sign in the new text',
    file: 'a = 1\n',
    edit: exact('1', "$& $1 $$ $' $`"),
    gives: "a = $& $1 $$ $' $`\n",
  },
  {
    what: 'characters that mean something in patterns',
    file: 'x = (a[0]) * 2.5 + $y?\n',
    edit: exact('(a[0]) * 2.5 + $y?', 'z'),
    gives: 'x = z\n',
  },
  { what: 'a deleted line', file: 'a\nb\nc\n', edit: exact('b\n', ''), gives: 'a\nc\n' },
  { what: 'a line added at the end without a final newline', file: 'a\nb', edit: exact('b', 'b\nc'), gives: 'a\nb\nc' },
  {
    what: 'exact text while match is by lines',
    file: PYTHON,
    edit: lines('return sum(self.items)', 'return len(self.items)'),
    gives: change(PYTHON, 'sum(', 'len('),
  },

  // Indentation lost, added or in other units.
  {
    what: 'indentation lost',
    file: PYTHON,
    edit: lines(
      'if item:\n    self.items.append(item)\nreturn self',
      'if item:\n    self.items.append(item)\n    self.dirty = True\nreturn self',
    ),
    gives: change(PYTHON, 'append(item)\n', 'append(item)\n            self.dirty = True\n'),
  },
  {
    what: 'too much indentation',
    file: 'a:\n  b: 1\n  c: 2\n',
    edit: lines('      b: 1\n      c: 2', '      b: 1\n      c: 3\n        d: 4'),
    gives: 'a:\n  b: 1\n  c: 3\n    d: 4\n',
  },
  {
    what: 'two blanks a step for four',
    file: PYTHON,
    edit: lines(
      '  def add(self, item):\n    if item:\n      self.items.append(item)',
      '  def add(self, item):\n    if item:\n      log(item)\n      self.items.append(item)',
    ),
    gives: change(PYTHON, '            self.items.append', '            log(item)\n            self.items.append'),
  },
  {
    what: 'blanks for tabs',
    file: TABS,
    edit: lines('    if ok {\n        run(1)\n    }', '    if ok {\n        run(1)\n        run(2)\n    }'),
    gives: change(TABS, 'run(1)\n', 'run(1)\n\t\trun(2)\n'),
  },
  {
    what: 'tabs for blanks',
    file: 'if a {\n    if b {\n        c()\n    }\n}\n',
    edit: lines('\tif b {\n\t\tc()\n\t}', '\tif b {\n\t\td()\n\t\tif e {\n\t\t\tf()\n\t\t}\n\t}'),
    gives: 'if a {\n    if b {\n        d()\n        if e {\n            f()\n        }\n    }\n}\n',
  },
  {
    what: 'one line without its tabs, new lines in blanks',
    file: TABS,
    edit: lines('run(1)\n}', 'if deep {\n  run(2)\n}\n}'),
    gives: { code: 'no_match' },
  },
  {
    what: 'one line without its tabs, one step deeper in blanks',
    file: 'f() {\n\t\trun(1);  \n}\n',
    edit: lines('run(1);\n', 'if (deep) {\n  run(2);\n}\n'),
    gives: 'f() {\n\t\tif (deep) {\n\t\t\trun(2);\n\t\t}\n}\n',
  },
  {
    what: 'one line with blanks where the file has a tab',
    file: TABS,
    edit: lines('    if ok {  ', '    if ok && x {'),
    gives: change(TABS, 'if ok {', 'if ok && x {'),
  },
  {
    what: 'a block whose lines are not indented alike',
    file: 'a:\n    b\n        c\n',
    edit: lines('b\nc', 'b\nd'),
    gives: { code: 'no_match' },
  },
  {
    what: 'indentation that contradicts the file',
    file: 'if a:\n    b()\nc()\n',
    edit: lines('if a:\n    b()\n    c()', 'if a:\n    b()\n    d()'),
    gives: { code: 'no_match' },
  },
  {
    what: 'new lines that would have to start left of the margin',
    file: 'a\nb\n',
    edit: lines('    a\n    b', '  a2\n    b'),
    gives: { code: 'no_match' },
  },
  {
    what: 'blank lines in a re-indented block stay blank',
    file: '  a\n\n  b\n',
    edit: lines('a\n\nb', 'a\n\nx\n\nb'),
    gives: '  a\n\n  x\n\n  b\n',
  },
  {
    what: 'indentation lost with the default match',
    file: PYTHON,
    edit: exact('if item:\n    self.items.append(item)', 'pass'),
    gives: { code: 'no_match' },
  },

  {
    what: 'one line without its indentation, wrapped in a block',
    file: 'if b:\n    x()\n',
    edit: lines('x()', 'if a:\n    x()'),
    gives: 'if b:\n    if a:\n        x()\n',
  },
  {
    what: 'one line without its indentation, wrapped with the default match',
    file: 'if b:\n    x()\n',
    edit: exact('x()', 'if a:\n        x()'),
    gives: 'if b:\n    if a:\n        x()\n',
  },
  {
    what: 'only the first line without its indentation',
    file: 'f:\n        a()  \n        if b:\n                c()\n',
    edit: lines('a()\n        if b:\n                c()', 'a2()\n        if d:\n                c()'),
    gives: 'f:\n        a2()\n        if d:\n                c()\n',
  },
  {
    what: 'only the first line without its indentation, at twice the step',
    file: 'f:\n        if a:  \n                c()\n',
    edit: lines('if a:\n                c()', 'if a:\n                d()\n        e()'),
    gives: 'f:\n        if a:  \n                d()\n        e()\n',
  },
  {
    what: 'steps that fit no unit',
    file: 'a\n       b\n',
    edit: lines('a\n  b ', 'a\n  c'),
    gives: { code: 'no_match' },
  },

  // Blanks at line ends.
  {
    what: 'blanks at line ends that the model did not see',
    file: 'a  \nb\t\nc\n',
    edit: lines('a\nb\nc', 'a\nb\nd'),
    gives: 'a  \nb\t\nd\n',
  },
  {
    what: 'blanks at line ends that the file does not have',
    file: 'a\nb\nc\n',
    edit: lines('a  \nb ', 'a\nx'),
    gives: 'a\nx\nc\n',
  },
  {
    what: 'a blank line that holds blanks',
    file: 'a\n    \nb\n',
    edit: lines('a\n\nb', 'a\n\nc'),
    gives: 'a\n    \nc\n',
  },
  {
    what: 'a final newline that the file does not have',
    file: '  a\n  b',
    edit: lines('a\nb\n', 'a\nc\n'),
    gives: '  a\n  c',
  },
  {
    what: 'blanks at line ends with the default match',
    file: 'a  \nb\n',
    edit: exact('a\nb', 'x'),
    gives: { code: 'no_match' },
  },
  { what: 'a deleted line that had blanks', file: 'a\n  b  \nc\n', edit: lines('b\n', ''), gives: 'a\nc\n' },

  // Line ends.
  { what: 'LF for CRLF', file: 'a\r\nb\r\nc\r\n', edit: exact('a\nb', 'a\nx\nb'), gives: 'a\r\nx\r\nb\r\nc\r\n' },
  {
    what: 'LF for CRLF by lines, with indentation lost',
    file: '  a\r\n  b\r\nc\n',
    edit: lines('a\nb', 'a\nx\nb'),
    gives: '  a\r\n  x\r\n  b\r\nc\n',
  },
  { what: 'a line added inside a CRLF file', file: 'a\r\nb\r\n', edit: exact('b', 'b\nc'), gives: 'a\r\nb\r\nc\r\n' },
  {
    what: 'a block of mixed line ends by lines',
    file: '\ta\r\n\tb\n\tc\r\n',
    edit: lines('a\nb\nc', 'a\nB\nc'),
    gives: '\ta\r\n\tB\n\tc\r\n',
  },

  // Typographic quotes and dashes.
  {
    what: 'curly quotes for straight ones in code',
    file: 'print("hi", \'x\')\n',
    edit: lines('print(\u201chi\u201d, \u2018x\u2019)', 'print(\u201cbye\u201d, \u2018x\u2019)'),
    gives: 'print("bye", \'x\')\n',
  },
  {
    what: 'curly quotes in new lines, too',
    file: 'a = "1"\n',
    edit: lines('a = \u201c1\u201d', 'a = \u201c1\u201d\nb = \u201c2\u201d'),
    gives: 'a = "1"\nb = "2"\n',
  },
  {
    what: 'straight quotes for curly ones in prose',
    file: CURLY,
    edit: lines('He said "hello" - and left.', 'He said "hello" - and stayed.'),
    gives: change(CURLY, 'left', 'stayed'),
  },
  {
    what: 'a straight apostrophe for a curly one',
    file: CURLY,
    edit: lines("It's late.", "It's very late."),
    gives: change(CURLY, 'late', 'very late'),
  },
  {
    what: 'an unchanged line keeps its curly quotes',
    file: CURLY,
    edit: lines('He said "hello" - and left.\nIt\'s late.', 'He said "hello" - and left.\nGood night.'),
    gives: change(CURLY, 'It\u2019s late.', 'Good night.'),
  },
  {
    what: 'a long dash for a minus',
    file: 'x = a - b\n',
    edit: lines('x = a \u2014 b', 'x = a \u2014 c'),
    gives: 'x = a - c\n',
  },
  { what: 'a no-break space', file: 'x = 1\n', edit: lines('x\u00a0= 1', 'x = 2'), gives: 'x = 2\n' },
  {
    what: 'curly quotes that are really meant',
    file: 'a = "1"\n',
    edit: exact('"1"', '"\u201c1\u201d"'),
    gives: 'a = "\u201c1\u201d"\n',
  },
  {
    what: 'curly quotes with the default match',
    file: 'print("hi")\n',
    edit: exact('print(\u201chi\u201d)', 'x'),
    gives: { code: 'no_match' },
  },
  {
    what: 'two lines that are alike but for their quotes',
    file: 'say "a"\nsay \u201ca\u201d\n',
    edit: lines('say \u201ea\u201c', 'x'),
    gives: { code: 'ambiguous' },
  },

  // Duplicated blocks and near-duplicates.
  {
    what: 'a block that is there twice',
    file: TWICE,
    edit: exact('  log("x")\n  done()\n', '  log("y")\n'),
    gives: { code: 'ambiguous' },
  },
  {
    what: 'a block that is there twice, by lines',
    file: TWICE,
    edit: lines('log("x")\ndone()', 'log("y")'),
    gives: { code: 'ambiguous' },
  },
  {
    what: 'a block made unique by the line before',
    file: TWICE,
    edit: exact('function b() {\n  log("x")', 'function b() {\n  log("y")'),
    gives: change(TWICE, 'b() {\n  log("x")', 'b() {\n  log("y")'),
  },
  {
    what: 'a block made unique by the line before, by lines',
    file: TWICE,
    edit: lines('function b() {\nlog("x")', 'function b() {\nlog("y")'),
    gives: { code: 'no_match' },
  },
  {
    what: 'two places that differ in indentation only',
    file: 'if a:\n    x()\nif b:\n        x()\n',
    edit: lines('\tx()', '\ty()'),
    gives: { code: 'ambiguous' },
  },
  {
    what: 'two places that differ in blanks only, one of them exact',
    file: 'x()\ny()\nx() \n',
    edit: exact('x()\ny()', 'z()\ny()'),
    gives: 'z()\ny()\nx() \n',
  },
  {
    what: 'all of several by lines, never',
    file: '  a \n    a\n',
    edit: { old: 'a  ', new: 'b', all: true, match: 'lines' },
    gives: { code: 'ambiguous' },
  },
  {
    what: 'a near-duplicate while the real one is gone',
    file: 'const a1 = get("a")\nconst a2 = get("a")\n',
    edit: exact('const a3 = get("a")', 'const a3 = get("b")'),
    gives: { code: 'no_match' },
  },
  {
    what: 'a near-duplicate by lines, never',
    file: 'foo(1)\nfoo(2)\n',
    edit: lines('foo(3)', 'foo(4)'),
    gives: { code: 'no_match' },
  },
  { what: 'a brace that stands everywhere', file: TWICE, edit: exact('}', '};'), gives: { code: 'ambiguous' } },
  { what: 'blank lines only', file: 'a\n\nb\n\nc\n', edit: lines(' \n', 'x\n'), gives: { code: 'no_match' } },
  {
    what: 'overlapping places',
    file: 'end\nend\nend\n',
    edit: lines('end \nend ', 'end'),
    gives: { code: 'ambiguous' },
  },

  // Stale text.
  {
    what: 'text as it was before another edit',
    file: 'total = price * count\n',
    edit: exact('total = price', 'total = cost'),
    gives: 'total = cost * count\n',
  },
  {
    what: 'a block with one stale line',
    file: PYTHON,
    edit: lines('def total(self):\n    return max(self.items)', 'def total(self):\n    return min(self.items)'),
    gives: { code: 'no_match', line: 10 },
  },
  {
    what: 'a renamed function',
    file: PYTHON,
    edit: exact('    def append(self, item):\n        if item:\n', 'x'),
    gives: { code: 'no_match', line: 5 },
  },
  {
    what: 'an edit that is applied already',
    file: PYTHON,
    edit: exact('return total(self.items)', 'return sum(self.items)'),
    gives: { code: 'no_match' },
  },
  {
    what: 'an edit that is applied already, by lines',
    file: '  a = 2\n',
    edit: lines('a  = 1', 'a = 2'),
    gives: { code: 'no_match' },
  },
  {
    what: 'text of another file',
    file: PYTHON,
    edit: lines('import React from "react"', 'x'),
    gives: { code: 'no_match' },
  },
  {
    what: 'line numbers copied along',
    file: 'alpha()\nbeta()\n',
    edit: lines('1: alpha()\n2: beta()', '1: alpha()\n2: gamma()'),
    gives: { code: 'no_match', line: 1 },
  },
  {
    what: 'another case of letters',
    file: 'Alpha()\n',
    edit: lines('alpha()', 'x'),
    gives: { code: 'no_match', line: 1 },
  },
  { what: 'blanks inside a line', file: 'f(a, b)\n', edit: lines('f(a,b)', 'x'), gives: { code: 'no_match', line: 1 } },

  // Elided code.
  {
    what: 'the rest left out of the new text',
    file: PYTHON,
    edit: exact('    def add(self, item):\n', '    def add(self, item, n):\n        # ... rest unchanged\n'),
    gives: { code: 'invalid_input' },
  },
  {
    what: 'the middle left out of both',
    file: PYTHON,
    edit: lines(
      'class Cart:\n    # ... existing code ...\n    def total(self):',
      'class Basket:\n    # ... existing code ...\n    def total(self):',
    ),
    gives: { code: 'no_match' },
  },
  {
    what: 'a component with the rest left out',
    file: '<A>\n  <B />\n</A>\n',
    edit: exact('<B />', '<C />\n  {/* ... rest of the component ... */}'),
    gives: { code: 'invalid_input' },
  },
  {
    what: 'a spread that looks like it',
    file: 'f(a)\n',
    edit: exact('f(a)', 'f(\n  ...rest,\n)'),
    gives: 'f(\n  ...rest,\n)\n',
  },
  {
    what: 'a comment with dots that the file has',
    file: '// ...\na\n',
    edit: exact('// ...\na', '// ...\nb'),
    gives: '// ...\nb\n',
  },

  // Mistakes in the edit itself.
  { what: 'nothing to look for', file: 'a\n', edit: exact('', 'x'), gives: { code: 'invalid_input' } },
  { what: 'the same text twice', file: 'a\n', edit: exact('a', 'a'), gives: { code: 'invalid_input' } },
  {
    what: 'a part of a line by lines',
    file: 'const a = f("x")\n',
    edit: lines('f(\u201cx\u201d)', 'g(\u201cx\u201d)'),
    gives: { code: 'no_match', line: 1 },
  },
]

describe('edits as models write them', () => {
  it.each(CASES)('$what', ({ file, edit, gives }) => {
    using place = workspaceWith({ 'a.py': file })
    const apply = () => replaceText(place.ws, 'a.py', [edit], { onAmbiguous: 'refuse' })
    if (typeof gives === 'string') {
      const { applied } = apply()
      expect(place.ws.read('a.py').bytes.toString()).toBe(gives)
      expect(applied.reduce((text, { old, new: now }) => text.replace(old, () => now), file)).toBe(gives)
      return
    }
    const error = errorOf(apply)
    expect(error.code).toBe(gives.code)
    expect(error.hint).toBeTruthy()
    expect(place.ws.read('a.py').bytes.toString()).toBe(file)
    if (gives.line !== undefined) expect(error.details).toMatchObject({ nearest: { from: gives.line } })
  })

  it('are more than sixty', () => {
    expect(CASES.length).toBeGreaterThan(60)
    expect(new Set(CASES.map(({ what }) => what)).size).toBe(CASES.length)
  })

  it('are never applied by lines to the first of several, whatever the contract allows', () => {
    using place = workspaceWith({ 'a.py': 'if a:\n    x()\nif b:\n        x()\n' })
    const edit = lines('\tx()', '\ty()')
    const error = errorOf(() => replaceText(place.ws, 'a.py', [edit], { onAmbiguous: 'first' }))
    expect(error.code).toBe('ambiguous')
    expect(error.details).toMatchObject({ lines: [2, 4] })
  })
})
