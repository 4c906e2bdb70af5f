import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { once } from '../../src/kernel/once.ts'
import { BUILDING, LINES_OF_ROOMS } from './lines-of-rooms.ts'
import { readSources } from './repository.ts'
import { looseBounds, overBounds, raisedBounds, roomLines } from './room-lines.ts'

const decisions = readFileSync(join(import.meta.dirname, '../../docs/decisions.md'), 'utf8')

/** Rooms that a row began: they are being built. */
const NEW = Array.from(decisions.matchAll(/^\| lines of `([^`]+)` +\| 0 /gm), ([, room = '']) => room)

describe('the lines of each room', () => {
  const countedLines = once(() => roomLines(readSources()))

  it('rise only with a reason in docs/decisions.md', () => {
    expect(overBounds(countedLines(), raisedBounds(LINES_OF_ROOMS, decisions))).toEqual([])
  })

  it('fall with their rooms, but for those that are being built', () => {
    const building = new Set([...Object.keys(BUILDING), ...NEW])
    expect(looseBounds(countedLines(), raisedBounds(LINES_OF_ROOMS, decisions), building)).toEqual([])
    const bounds = new Map([
      ['src/runtime', 1_000],
      ['src/agent', 1_000],
    ])
    expect(looseBounds(new Map([['src/runtime', 800]]), bounds, new Set(['src/agent']))).toEqual([
      'src/runtime has 800 lines: lower its bound of 1000',
    ])
    expect(looseBounds(new Map([['src/runtime', 900]]), bounds, new Set(['src/agent']))).toEqual([])
  })

  it('are those of its sources, without tests', () => {
    const modules = [
      { file: 'src/machine/web/a.ts', lines: 10 },
      { file: 'src/machine/web/html/b.ts', lines: 5 },
      { file: 'src/machine/web/a.test.ts', lines: 99 },
      { file: 'src/runtime/recording/c.ts', lines: 7 },
      { file: 'src/toolkit.ts', lines: 3 },
      { file: 'tests/x.ts', lines: 99 },
    ]
    expect(Object.fromEntries(roomLines(modules))).toEqual({ 'src/machine/web': 15, 'src/runtime': 7, src: 3 })
  })

  it('are held to a bound, which a row of the page raises', () => {
    const page = '| bound | from | to | for |\n| lines of `src/runtime` | 1,000 | 1,100 | approvals that wait |\n'
    const lines = new Map([['src/runtime', 1_050]])
    expect(overBounds(lines, raisedBounds({ 'src/runtime': 1_000 }, ''))).toEqual([
      'src/runtime has 1050 lines, 1000 are its bound',
    ])
    expect(overBounds(lines, raisedBounds({ 'src/runtime': 1_000 }, page))).toEqual([])
    expect(overBounds(lines, raisedBounds({ 'src/runtime': 900 }, page))).not.toEqual([])
    expect(overBounds(lines, raisedBounds({}, ''))).toEqual(['src/runtime has 1050 lines, 0 are its bound'])
  })
})
