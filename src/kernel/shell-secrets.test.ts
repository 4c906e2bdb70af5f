import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { quoteArgv } from './shell-quote.ts'
import { referSecrets, revealText, secretVariable } from './shell-secrets.ts'

/** A value that would do harm as soon as it were read as code, split or expanded. */
const VALUE = `a"b'c $(echo ran) \`echo ran\` * ; echo ran #`

const run = (line: string): string =>
  execFileSync('/bin/bash', ['-c', referSecrets(line)], {
    env: { PATH: process.env['PATH'], [secretVariable('TOKEN')]: VALUE },
  }).toString()

describe('referSecrets', () => {
  it.each([
    [`printf '<%s>' $ENV.TOKEN`, `<${VALUE}>`],
    [`printf '<%s>' x$ENV.TOKEN.y`, `<x${VALUE}.y>`],
    [`printf '<%s>' "Bearer $ENV.TOKEN"`, `<Bearer ${VALUE}>`],
    [`printf '<%s>' 'Bearer $ENV.TOKEN!'`, `<Bearer ${VALUE}!>`],
    [`printf '<%s>' $'a\\tb $ENV.TOKEN \\' c'`, `<a\tb ${VALUE} ' c>`],
    [`T=$ENV.TOKEN; printf '<%s>' "$T"`, `<${VALUE}>`],
    [`printf '<%s>' "$(printf %s "$ENV.TOKEN")"`, `<${VALUE}>`],
    [`(printf '<%s>' $ENV.TOKEN)`, `<${VALUE}>`],
    [`cat <<END\na $ENV.TOKEN b\nEND\nprintf done`, `a ${VALUE} b\ndone`],
    [`cat <<-END\n\ta $ENV.TOKEN b\n\tEND\nprintf done`, `a ${VALUE} b\ndone`],
    [`printf x # $ENV.TOKEN in a remark`, 'x'],
    [`printf '<%s>' \\$ENV.TOKEN '' "a\\"$ENV.TOKEN"`, `<$ENV.TOKEN><><a"${VALUE}>`],
    [`printf '%s' no secret`, 'nosecret'],
  ])('puts the value of %s where it stood, as one piece of text', (line, printed) => {
    expect(referSecrets(line)).not.toContain(VALUE)
    expect(run(line)).toBe(printed)
  })

  it.each([
    "cat <<'END'\n$ENV.TOKEN\nEND",
    'cat <<\\END\n$ENV.TOKEN\nEND',
    'cat <<END\n$(echo $ENV.TOKEN)\nEND',
    'echo `echo $ENV.TOKEN`',
    'echo ${X:-$ENV.TOKEN}',
    'echo $(( $ENV.TOKEN ))',
    'echo "$ENV.TOKEN',
    'echo $(case a in a) echo $ENV.TOKEN;; esac)',
    'echo $ENV.TÖKEN',
  ])('refuses %s with the way round', line => {
    expect(() => referSecrets(line)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('fills standard input in, which is data', () => {
    expect(revealText('a $ENV.TOKEN \\$ENV.TOKEN $ENV.OTHER', new Map([['TOKEN', 'v']]))).toBe(
      'a v \\$ENV.TOKEN $ENV.OTHER',
    )
  })
})

describe('quoteArgv', () => {
  it('gives a line that a shell reads back as the same words', () => {
    const words = ['printf', '%s\\0', 'a b', "it's", '$HOME', '', 'A=1', '*', '-x', 'ü\n"']
    const line = quoteArgv(words)
    expect(execFileSync('/bin/bash', ['-c', line]).toString().split('\0').slice(0, -1)).toEqual(words.slice(2))
    expect(quoteArgv(['A=1', 'git', 'log'])).toBe("'A=1' git log")
  })
})
