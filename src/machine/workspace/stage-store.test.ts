import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from './disk.ts'
import { loadStaging, saveStaging } from './stage-store.ts'
import { createStaging, type Staging } from './staging.ts'

let directory: string
let staging: Staging

const identity = { ino: 2n ** 63n, size: 6n, mtimeNs: 1_800_000_000_123_456_789n, mode: 0o644 }
const hash = hashOf(Buffer.from('alpha\n'))
const file = (text: string) =>
  ({ type: 'file', bytes: Buffer.from(text), hash: hashOf(Buffer.from(text)), mode: 0o644 }) as const

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'toolwright-stage-')), 'tx')
  staging = createStaging()
  staging.set('new.txt', { type: 'absent' }, file('new\n'))
  staging.set('bad\udcff', { type: 'absent' }, file('odd\0bytes'))
  staging.set('moved', { type: 'absent' }, { type: 'file', source: 'a.txt', identity, hash, mode: 0o755 })
  staging.set('a.txt', { type: 'file', identity, hash, bytes: Buffer.from('alpha\n') }, { type: 'absent' })
  staging.set('link', { type: 'absent' }, { type: 'symlink', source: 'old', identity, target: 'x' })
  staging.set('old', { type: 'symlink', identity, target: 'x' }, { type: 'absent' })
  staging.set('dir', { type: 'absent' }, { type: 'directory', mode: 0o755 })
  staging.set('edited', { type: 'file', identity, hash }, { ...file('edited'), movedFrom: 'was' })
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }))

const failure = (): unknown => {
  try {
    loadStaging(directory)
    return 'loaded'
  } catch (error) {
    return error
  }
}
const DAMAGED = { code: 'io', hint: expect.stringContaining('Roll the transaction back') }
const manifest = () => join(directory, 'manifest.json')
const forge = (change: (text: string) => string) => writeFileSync(manifest(), change(readFileSync(manifest(), 'utf8')))

describe('the stage store', () => {
  it('SG-23: gives back what was kept, to the last bit', () => {
    saveStaging(directory, staging)
    const loaded = loadStaging(directory)
    expect(loaded?.toOperations()).toEqual(staging.toOperations())
    // New content has the time at which it was staged.
    const stagedMs = expect.toSatisfy((ms: number) => Math.abs(Date.now() - ms) < 600_000)
    expect(loaded?.entries().map(([path, { state }]) => [path, state])).toEqual(
      staging.entries().map(([path, { state }]) => [path, 'bytes' in state ? { ...state, stagedMs } : state]),
    )
  })

  it('knows nothing where nothing was kept', () => {
    expect(loadStaging(directory)).toBeUndefined()
    mkdirSync(join(directory, 'content'), { recursive: true })
    writeFileSync(join(directory, 'content', 'rest-of-a-crash'), 'x')
    expect(loadStaging(directory)).toBeUndefined()
  })

  it('keeps only the content that is still staged, for this user alone', () => {
    saveStaging(directory, staging)
    staging.set('new.txt', { type: 'absent' }, file('newer\n'))
    saveStaging(directory, staging)
    expect(readdirSync(join(directory, 'content')).toSorted()).toEqual(
      [hashOf(Buffer.from('newer\n')), hashOf(Buffer.from('odd\0bytes')), hashOf(Buffer.from('edited'))].toSorted(),
    )
    expect(statSync(directory).mode & 0o077).toBe(0)
    expect(statSync(manifest()).mode & 0o077).toBe(0)
  })

  it('refuses changed and missing content', () => {
    saveStaging(directory, staging)
    const content = join(directory, 'content', hashOf(Buffer.from('new\n')))
    writeFileSync(content, 'evil\n')
    expect(failure()).toMatchObject(DAMAGED)
    rmSync(content)
    expect(failure()).toMatchObject(DAMAGED)
  })

  it.each<[string, (text: string) => string]>([
    ['torn', text => text.slice(0, -10)],
    ['empty', () => ''],
    ['of another version', text => text.replace('"version":1', '"version":2')],
    ['with a path that climbs out', text => text.replace('"path":"new.txt"', '"path":"../new.txt"')],
    ['with an absolute source', text => text.replace('"source":"a.txt"', '"source":"/etc/passwd"')],
    ['with a hash that is a path', text => text.replace(hashOf(Buffer.from('new\n')), '../../../../etc/passwd')],
    ['with an unknown key', text => text.replace('"version":1', '"version":1,"more":true')],
    ['with a negative inode', text => text.replace(`"ino":"${2n ** 63n}"`, '"ino":"-1"')],
  ])('refuses a manifest %s', (_, change) => {
    saveStaging(directory, staging)
    forge(change)
    expect(failure()).toMatchObject(DAMAGED)
  })
})
