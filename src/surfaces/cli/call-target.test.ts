import { expect, it } from 'vitest'
import { callTarget } from './call-target.ts'

it.each([
  [{ path: 'a.ts', content: 'x' }, 'a.ts'],
  [{ filePath: 'a.ts' }, 'a.ts'],
  [{ from: 'a.ts', to: 'b.ts' }, 'a.ts → b.ts'],
  [{ path: 'a.ts', from: 1, to: 9 }, 'a.ts'],
  [{ path: 'a.ts', line: 12 }, 'a.ts:12'],
  [{ kind: 'rename', symbol: 'one', path: 'a.ts', to: 'two' }, 'rename one → two'],
  [{ kind: 'move', path: 'a.ts', to: 'b.ts' }, 'move a.ts → b.ts'],
  [{ kind: 'delete', symbol: 'one' }, 'delete one'],
  [{ command: 'npm', args: ['test'] }, 'npm test'],
  [{ argv: ['ls', '-l'] }, 'ls -l'],
  [{ pattern: 'x', path: 'src' }, "'x' in src"],
  [{ patterns: ['x', 'y'] }, "'x, y'"],
  [{ url: 'https://example.com/' }, 'https://example.com/'],
  [{ action: 'begin' }, 'begin'],
  [{ command: 'echo \x1b[2J' }, String.raw`echo \x1b[2J`],
  [{}, ''],
])('of %j', (input, expected) => {
  expect(callTarget({ input })).toBe(expected)
})

it('is what was claimed where the input is kept elsewhere', () => {
  const claims = [
    { action: 'read', resource: 'a' },
    { action: 'write', resource: 'a' },
  ]
  expect(callTarget({ claims })).toBe('a')
})

it('is the undone commit if none was named', () => {
  expect(callTarget({ input: {}, output: { undone: 'c1', paths: [] } })).toBe('c1')
})
