import { expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { globRules } from './glob-rules.ts'

const FILES = ['a/b/w.txt', 'a/w.txt', 'lib/a', 'w.txt', 'x.ts']
const taken = (...globs: readonly string[]) => FILES.filter(globRules(compileGlob, globs)).join(' ')

it.each<[readonly string[], string]>([
  [['w.txt', '!a/b/*'], 'a/w.txt w.txt'],
  [['!a/*', 'w.txt'], 'a/w.txt w.txt'],
  [['!*.txt', './w.txt'], 'w.txt'],
  [['!*', 'x.ts'], 'x.ts'],
  [['!a', 'a/w.txt'], ''],
  [['!a', 'a/'], 'a/b/w.txt a/w.txt'],
  [['!a/b/', 'a/**'], 'a/b/w.txt a/w.txt'],
  [['a/**', '!a/b/'], 'a/w.txt'],
  [['!*/'], 'w.txt x.ts'],
  [['a'], 'lib/a'],
  [['a/'], 'a/b/w.txt a/w.txt'],
  [['x.ts/', 'x.ts/**', '{x.ts/**,no}'], ''],
])('%j take %s', (globs, files) => {
  expect(taken(...globs)).toBe(files)
})

it.each(['', '!', '!/', 'a//b', '[a'])('%j is refused', glob => {
  expect(() => globRules(compileGlob, [glob])).toThrow(`Glob`)
})
