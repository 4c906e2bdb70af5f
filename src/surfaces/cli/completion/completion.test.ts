import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../dispatch.ts'
import { completedCommands } from './completed-commands.ts'
import { bashScript, fishScript, zshScript } from './scripts.ts'

/** What is complained about; every line here has an option that no command knows, so that nothing is done. */
async function complained(name: string, args: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await dispatch(name, args, { env: {}, cwd: '/', stdin, stdout, stderr, version: '0' })
  expect(code).toBe(2)
  return String(stderr.read())
}

describe('completed commands', () => {
  it('have only options that the command takes, with a value where it takes one', async () => {
    for (const { name, options } of await completedCommands()) {
      if (name === 'help') continue
      const typed = options
        .filter(option => option.name !== '--help')
        .map(({ name: option, takesValue }) => (takesValue ? `${option}=1` : option))
      expect([name, await complained(name, [...typed, '--nope'])]).toEqual([name, expect.stringContaining("'--nope'")])
    }
  })

  it('are in the scripts of all shells', async () => {
    const commands = await completedCommands()
    for (const script of [bashScript, zshScript, fishScript]) {
      const text = script(commands)
      for (const { name, options } of commands) {
        expect(text).toContain(name)
        for (const option of options) expect(text).toContain(option.name.slice(2))
      }
    }
  })

  it('leave no quote open in a line of zsh or fish', async () => {
    const commands = await completedCommands()
    for (const line of [zshScript(commands), fishScript(commands)].join('\n').split('\n'))
      expect((line.match(/'/g) ?? []).length % 2).toBe(0)
  })
})
