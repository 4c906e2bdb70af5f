// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { makeWorld } from './world.ts'

const it = needs('bubblewrap')

const many = (count: number, text: string, joint = ' '): string => Array.from({ length: count }, () => text).join(joint)

/** Each makes the file `p` when bash runs it. */
const READ_WRONGLY = [
  "for x in a # '\ndo touch p; id; done #' ; do ls; done",
  'for x in a b #"\ndo touch p; done #"\ndo ls; done',
  "for x in a\\\n # '\ndo touch p; done #' ; do ls; done",
  "case a # '\nin a) touch p;; esac #' \n in b) ls;; esac",
  'for x in a # `\ndo ls; touch p; done #` ; do ls; done',
  'a=(x)#c; touch p',
  "x=1 a=(x)#; touch p # '",
  'ls[[ \nls # ]] & touch p',
  'x=\'$(touch p)\'; echo >&"$x"',
  "echo >&'$(touch p)'",
  "env $'\\'\nx=1 ls #' touch p",
  "shopt -s expand_aliases\nalias a='touch'\na p",
  'BASH_CMDS[a]=/usr/bin/touch; a p',
]

const TOO_LONG = [
  `env ${many(2_000, 'A=1')} touch p`,
  `env ${many(9_000, '-u A')} touch p`,
  `${many(2_500, 'A=1')} touch p`,
  `printf '%s\\n' ${many(3_000, ':')} 'touch p' | sh`,
  `sh -c "$(printf '%s;' ${many(9_000, ':')} 'touch p')"`,
  `x=:; ${many(15, 'x="$x;$x"', ';')}; sh -c "$x;touch p"`,
  `x='${many(10_000, ':', ';')};touch p'; eval "$x"`,
  `set -- ${many(12_000, 'a')} touch p; shift 12000; "$@"`,
  `${many(9, 'eval')} touch p`,
  `xargs touch <<< '${many(5_000, '-a')} p'`,
  `nohup ${many(200, 'nice')} touch p`,
  `f() { "$@"; }; ${Array.from({ length: 12 }, (_, at) => `f${at}() { f${at + 1} "$@"; }`).join(';')}; f12() { f "$@"; }; f0 touch p`,
]

const POLICIES = {
  'a list': { allow: ['ls', 'cat', 'echo', 'env', 'printf', 'sh', 'x'], deny: ['touch'], default: 'ask' },
  'all but one': { allow: ['*'], deny: ['touch'], default: 'allow' },
}

describe.each(Object.entries(POLICIES))('command lines under %s', (_name, commands) => {
  it('SG-16: make no file by a program that is denied, however they are written and however long', async () => {
    await using world = makeWorld()
    world.configure(JSON.stringify({ policy: { commands } }))
    const kit = await world.open()
    for (const command of [...READ_WRONGLY, ...TOO_LONG]) {
      const { ok } = Object((await kit.run('run', { command })).answer)
      expect({ command: command.slice(0, 100), ok, made: existsSync(join(world.root, 'p')) }).toEqual({
        command: command.slice(0, 100),
        ok: false,
        made: false,
      })
    }
  }, 60_000)

  it('run where both readers see the same', async () => {
    await using world = makeWorld()
    writeFileSync(join(world.root, 'a.txt'), 'one\n')
    world.configure(JSON.stringify({ policy: { commands } }))
    const kit = await world.open()
    const run = async (command: string): Promise<unknown> =>
      Object((await kit.run('run', { command })).answer).data?.stdout
    expect(await run('for x in a # both\ndo cat "$x.txt"; done # all')).toBe('one\n')
    expect(await run("cat <<'E' | cat\na # b\nE\necho '#'")).toBe('a # b\n#\n')
  }, 60_000)
})
