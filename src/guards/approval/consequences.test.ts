import { beforeAll, describe, expect, it } from 'vitest'
import { creates, execs, nets, reads, readsBelow, writes, writesFound } from '../../kernel/claim.ts'
import { loadCommandReaders } from '../policy/command-parser.ts'
import { consequences } from './consequences.ts'

beforeAll(() => loadCommandReaders())

describe('what could happen', () => {
  it.each([
    ['git log --oneline', 'runs a command that only reads'],
    ['ls -la src', 'runs a command that only reads'],
    ['npm test', 'runs code, which may change files of the workspace'],
    ['rm -rf src', 'runs code, which may change files of the workspace'],
    ['git log --output=x', 'runs code, which may change files of the workspace'],
  ])('of %s: %s', (line, said) => {
    expect(consequences(execs(line), [])).toBe(said)
  })

  it('names the hosts that a command reaches, and calls one that is handed input code', () => {
    const claims = [...execs('npm install'), ...nets('https://packages.example.com/a')]
    expect(consequences(claims, [])).toBe(
      'runs code, which may change files of the workspace; reaches https://packages.example.com',
    )
    expect(consequences(execs('cat', undefined, 'given'), [])).toContain('runs code')
  })

  it('names what is changed as it was worked out, and what was claimed where nothing was', () => {
    const claims = [...reads('a.ts', 'b.ts'), ...writes('a.ts', 'c.ts', 'd.ts')]
    expect(
      consequences(claims, [
        { kind: 'change', path: 'a.ts' },
        { kind: 'move', path: 'd.ts', from: 'c.ts' },
        { kind: 'delete', path: 'e.ts' },
      ]),
    ).toBe('reads b.ts; changes a.ts; deletes e.ts; moves c.ts to d.ts')
    expect(consequences([...claims, ...creates('n.ts')], [])).toBe('reads b.ts; creates n.ts; changes a.ts, c.ts, d.ts')
    expect(consequences([...readsBelow('src'), ...writesFound()], [])).toBe(
      'reads src/**; changes files that it finds, which are shown before they land',
    )
    expect(consequences([], [])).toBe('nothing outside of the call itself')
  })
})
