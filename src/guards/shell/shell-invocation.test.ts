import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { readShellInvocation } from './shell-invocation.ts'

const WORDS =
  '-c -co -ceuo -oc -e -eu -euo -o -O +x +o +O -s -es - -- --norc --posix -norc --rcfile -n posix errexit pipefail extglob'
const word = fc.oneof(fc.constantFrom(...WORDS.split(' ')), fc.constantFrom('echo 1', 'echo 2', 'echo 3'))
const words = fc.tuple(fc.array(word, { maxLength: 5 }), fc.array(word, { minLength: 1, maxLength: 3 }))

describe('what a shell is told to run', () => {
  it('is the text that bash runs', () => {
    let ran = 0
    fc.assert(
      fc.property(words, ([before, after]) => {
        const given = ['bash', ...before, '-c', ...after]
        const { stdout } = spawnSync('bash', given.slice(1), { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })
        // Errors, and lists of options, run nothing.
        if (!/^[123]\n$/.test(stdout)) return
        ran++
        const { text, isOpen } = readShellInvocation(given)
        if (!isOpen) expect([given, text]).toEqual([given, `echo ${stdout.trim()}`])
      }),
      { numRuns: 300 },
    )
    expect(ran).toBeGreaterThan(10)
  })

  it('may be a file, its input, or an unnamed profile', () => {
    const read = (line: string) => readShellInvocation(line.split(' '))
    expect(read('bash -e x.sh a')).toEqual({ file: 'x.sh', isOpen: false })
    expect(read('bash')).toEqual({ isOpen: false })
    expect(read('bash -es x')).toEqual({ isOpen: false })
    expect(read('bash --rcfile f -c x')).toEqual({ startFile: 'f', text: 'x', isOpen: false })
    for (const line of [
      'bash -c',
      'bash -lc x',
      'bash -c -la x',
      'bash --login -c x',
      'bash -ic x',
      'fish --command=x',
    ])
      expect([line, read(line).isOpen]).toEqual([line, true])
  })

  it.each([
    ['bash -euo pipefail -c id', 'deny'],
    ['bash -c -o errexit id', 'deny'],
    ['bash +c id', 'deny'],
    ['bash --rcfile f -c id', 'deny'],
    ['bash -euo pipefail -c ls', 'allow'],
    ['bash -lc ls', 'ask'],
    ['[[ -n a ]] && eval \'bash -c -la src 3>&1 # x\necho "a;id"\'', 'ask'],
  ])('SG-16: with id denied, %s is %s', (line, verdict) => {
    const rule = (text: string, of: CommandRule['verdict'], prefix: string[]): CommandRule => ({
      id: text,
      verdict: of,
      prefix,
    })
    const rules = [rule('all', 'allow', []), rule('id', 'deny', ['id'])]
    expect(judgeCommand(line, { rules, fallback: 'allow' }).verdict).toBe(verdict)
  })
})
