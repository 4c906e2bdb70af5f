import { beforeAll, describe, expect, it } from 'vitest'
import { creates, execs, nets, reads, readsBelow, writes, writesFound } from '../../kernel/claim.ts'
import { loadCommandParsers } from '../policy/command-parser.ts'
import { affectedFiles, consequences } from './consequences.ts'

beforeAll(() => loadCommandParsers())

describe('what could happen', () => {
  it.each([
    ['git log --oneline', 'runs a command that only reads'],
    ['ls -la src', 'runs a command that only reads'],
    ['npm test', 'runs code, which may change files of the workspace'],
    ['rm -rf src', 'runs code, which may change files of the workspace'],
    ['git log --output=x', 'runs code, which may change files of the workspace'],
    ['curl -s https://example.com/a', 'runs a command that changes no file; tries to reach example.com'],
    ['curl -s example.com:8080 | head -1', 'runs a command that changes no file; tries to reach example.com:8080'],
    ['sudo wget https://a.example/x', 'runs code, which may change files of the workspace; tries to reach a.example'],
    ['ssh -p 22 me@b.example ls', 'runs code, which may change files of the workspace; tries to reach b.example'],
    ['scp a.txt b.example:', 'runs code, which may change files of the workspace; tries to reach b.example'],
    ['rsync -a src out', 'runs code, which may change files of the workspace'],
    ['git -C sub fetch', 'runs code, which may change files of the workspace; tries to reach the network'],
    ['git clone git@c.example:a/b.git', 'runs code, which may change files of the workspace; tries to reach c.example'],
    ['ls > out.txt', 'writes out.txt; runs code, which may change files of the workspace'],
    ['ls > /dev/null 2>&1', 'runs a command that only reads'],
    ['cd sub && ls > out.txt', 'runs code, which may change files of the workspace'],
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

  it('does not say of a command in the background that it only reads', () => {
    expect(consequences([...execs('sleep 60'), { action: 'write', resource: '**' }], [])).toBe(
      'changes any file of the workspace; runs code, which may change files of the workspace',
    )
  })

  it('does not say twice what a command reaches', () => {
    const claims = [...execs('curl -s https://a.example/x https://b.example'), ...nets('https://a.example')]
    expect(consequences(claims, [])).toBe(
      'runs a command that changes no file; tries to reach b.example; reaches https://a.example',
    )
    expect(consequences([...execs('git fetch'), ...nets('https://a.example')], [])).toBe(
      'runs code, which may change files of the workspace; reaches https://a.example',
    )
  })

  it.each([
    ['git log', []],
    ['rm -rf src', ['not known before the command has run']],
    ['ls > out.txt', ['sub/out.txt', 'others that are not known before the command has run']],
  ])('of %s affects %j', (line, files) => {
    expect(affectedFiles(execs(line, 'sub'), [])).toEqual(files)
  })

  it('affects what was worked out, and what was claimed where nothing was', () => {
    expect(affectedFiles(writes('a.ts', 'b.ts'), [{ path: 'a.ts', from: 'c.ts' }])).toEqual(['c.ts', 'a.ts'])
    expect(affectedFiles([...reads('r.ts'), ...creates('n.ts'), ...writesFound()], [])).toEqual(['n.ts'])
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

  it('names the first of many files that change', () => {
    const changes = ['a', 'b', 'c', 'd', 'e'].map(path => ({ kind: 'change' as const, path }))
    expect(consequences([], [...changes, { kind: 'delete', path: 'x' }], 3)).toBe(
      'changes a, b, c and 2 more; deletes x',
    )
    expect(consequences([], changes, 5)).toBe('changes a, b, c, d, e')
  })
})
