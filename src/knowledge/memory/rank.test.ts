import { expect, it } from 'vitest'
import { completeFix } from './fix.ts'
import { sameError, scoreOf, wordShares } from './rank.ts'
import { wordsOf } from './text/words.ts'

const fix = (errorDescription: string, errorType = '') =>
  completeFix({ errorDescription, errorType, rootCause: 'c', solution: 's' })

it('finds words again in other forms, and names by their parts', () => {
  expect(wordsOf('The parsers are failing')).toEqual(wordsOf('parser failed'))
  expect(wordsOf('readFileSync')).toEqual(['readfilesync', 'read', 'file', 'sync'])
  expect(wordsOf('ERR_REQUIRE_ESM')).toEqual(['err', 'requir', 'esm'])
})

it.each<readonly [string, ReturnType<typeof fix>, 'code' | 'class' | undefined]>([
  ['connect ECONNREFUSED 10.0.0.1:80', fix('Error: ECONNREFUSED 127.0.0.1:5432'), 'code'],
  ['error TS2345 in a.ts', fix('no overload matches', 'TS2345'), 'code'],
  ['django.db.utils.OperationalError: locked', fix('sqlite3.OperationalError: no such table'), 'class'],
  ['Uncaught TypeError: x', fix('y is not a function', 'TypeError'), 'class'],
  ['TypeError: x', fix('RangeError: y'), undefined],
  ['Error: ERROR in file', fix('Error: an ERROR'), undefined],
  ['file already EXISTS in the bucket', fix('CREATE TABLE IF NOT EXISTS fails'), undefined],
  ['NODE_ENV is not set, SHA256 differs', fix('NODE_ENV=test, SHA256 of the file'), undefined],
  ['rpc: DEADLINE_EXCEEDED', fix('code DEADLINE_EXCEEDED'), 'code'],
  ['killed by SIGSEGV', fix('SIGSEGV in libfoo'), 'code'],
  ['npm error ERESOLVE', fix('npm ERR! code ERESOLVE'), 'code'],
])('compares the names in %s', (query, stored, same) => {
  expect(sameError(query, stored)).toBe(same)
})

it('finds texts by their words though a word of the query is in none of them', () => {
  const texts = Array.from({ length: 600 }, (_, at) => wordsOf(at % 2 ? 'request failed upstream' : 'disk is full'))
  const found = (query: string) => wordShares(wordsOf(query), texts).filter(share => share > 0).length
  expect([found('request failed upstream'), found('request failed upstream xyzzy')]).toEqual([300, 300])
})

it('counts words only if most of the query is there', () => {
  const [all = 0, few = 0, none = 1] = wordShares(wordsOf('port already in use'), [
    wordsOf('the port is already in use'),
    wordsOf('a port of call, far away'),
    wordsOf('nothing of it'),
  ])
  expect(all).toBeGreaterThan(0.8)
  expect(few).toBeGreaterThan(0)
  expect(none).toBe(0)
  expect(scoreOf({ words: few, same: undefined }, 0.5)).toBeLessThan(0.55)
  expect(scoreOf({ words: 1, same: 'code' }, 0.5)).toBeCloseTo(1.3)
  expect(scoreOf({ words: 0, same: 'class' }, 0.5)).toBeCloseTo(0.6)
})
