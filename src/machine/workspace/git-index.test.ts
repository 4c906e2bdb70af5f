import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isSameIndex, readIndex, SKIPPED, writeIndex } from './git-index.ts'

const place = mkdtempSync(join(tmpdir(), 'toolwright-index-'))
const file = join(place, '.git/index')
const git = (...args: string[]) =>
  execFileSync('git', ['-C', place, ...args], {
    env: { PATH: process.env['PATH'], HOME: place },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
const prepare = [
  'mkdir -p deep/er; for n in 1 2 3 4 5 6 7 8 9 10; do echo $n > deep/er/file-$n; echo $n > file$n; done',
  'git init -q -b main; git add -A; git add -N .; echo late > late; git add -N late; git update-index --assume-unchanged file3',
].join('; ')
execFileSync('/bin/sh', ['-c', prepare], { cwd: place, env: { PATH: process.env['PATH'], HOME: place } })

afterAll(() => rmSync(place, { recursive: true, force: true }))

const read = () => {
  const index = readIndex(readFileSync(file))
  if (index === undefined) throw new Error('The index was not read')
  return index
}

describe('the index of a repository', () => {
  it.each([2, 3, 4])('is read in form %s as git reads it, and written so that git reads it', version => {
    git('update-index', `--index-version=${version}`)
    const listed = git('ls-files', '--stage', '-v', '--debug')
    const index = read()
    expect(index.entries.map(({ path }) => path.toString())).toEqual(git('ls-files').trim().split('\n'))
    writeFileSync(file, writeIndex(index))
    expect(git('ls-files', '--stage', '-v', '--debug')).toBe(listed)
    expect(git('fsck')).toBe('')
    expect(isSameIndex(index, read())).toBe(true)
  })

  it('takes a mark that git honours, and loses it again', () => {
    const index = read()
    const marked = index.entries.map(entry => ({
      ...entry,
      more: entry.path.toString() === 'file1' ? entry.more | SKIPPED : entry.more,
    }))
    writeFileSync(file, writeIndex({ ...index, entries: marked }))
    expect(git('ls-files', '-v', 'file1')).toBe('S file1\n')
    expect(isSameIndex(index, read())).toBe(false)
    writeFileSync(file, writeIndex(index))
    expect(git('ls-files', '-v', 'file1')).toBe('H file1\n')
  })

  it('is the same after a look at other times, and another after an add', () => {
    const before = read()
    execFileSync('touch', ['-d', '2001-01-01', join(place, 'file1')])
    git('status')
    expect(isSameIndex(before, read())).toBe(true)
    git('add', 'late')
    expect(isSameIndex(before, read())).toBe(false)
  })

  it('is not read where it is split, cut or damaged', () => {
    const bytes = readFileSync(file)
    expect(readIndex(bytes.subarray(0, bytes.length - 30))).toBeUndefined()
    expect(readIndex(Buffer.from('DIRC'))).toBeUndefined()
    const huge = Buffer.concat([bytes.subarray(0, 8), Buffer.from('ffffffff', 'hex'), Buffer.alloc(20)])
    expect(readIndex(huge)).toBeUndefined()
    git('update-index', '--split-index')
    expect(readIndex(readFileSync(file))).toBeUndefined()
  })
})
