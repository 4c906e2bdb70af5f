import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/surfaces/cli/dispatch.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { fakeTerminal } from './fake-terminal.ts'
import { makeWorld } from './world.ts'

const CONTRACTS = ['toolwright', 'sage', 'cli-agent', 'superconnect', 'debug-assistant', 'autonomous']
const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineSetter__', 'valueOf']

describe('an argument with a name of every object', () => {
  it.each(CONTRACTS)('is refused by its name by every tool of %s', async contract => {
    await using workspace = temporaryWorkspace({ a: 'one\n' })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write', 'exec'] })
    const { tools } = await kit.offer(contract)
    expect(tools.length).toBeGreaterThan(0)
    for (const { name, examples = [] } of tools) {
      const members = JSON.stringify(examples[0]?.input ?? {}).slice(1, -1)
      const ask = async (key: string) => {
        const input: unknown = JSON.parse(`{${members}${members === '' ? '' : ','}"${key}":{"path":"b"}}`)
        const { outcome } = await kit.run(name, input, { contract, dryRun: true })
        return outcome.ok ? 'done' : `${outcome.error.code}: ${outcome.error.message}`
      }
      const usual = await ask('more')
      // One document has tools that ignore what they do not know.
      if (contract !== 'debug-assistant') expect(usual).toContain("Unknown parameter 'more'")
      for (const key of KEYS) {
        const told = await ask(key)
        if (key === '__proto__') expect(told).toMatch(/^invalid_input: .*Unknown parameter '__proto__'/)
        else expect([name, key, told]).toEqual([name, key, usual.replaceAll("'more'", `'${key}'`)])
      }
    }
    expect(Object.keys(workspace.snapshot())).not.toContain('b')
    expect(workspace.read('a')).toBe('one\n')
  })

  it.each(KEYS)('%s is refused on the command line', async key => {
    await using world = makeWorld()
    const input = `{"path":"b","content":"x","${key}":{"path":"c"}}`
    const one = fakeTerminal(world.root, world.env)
    expect(await dispatch('call', ['write', input, '--yes'], one)).not.toBe(0)
    expect(one.out() + one.err()).toContain(`Unknown parameter '${key}'`)
    const many = fakeTerminal(world.root, world.env, `{"tool":"write","input":${input}}\n`)
    await dispatch('call', ['--jsonl', '--yes'], many)
    expect(many.out() + many.err()).toContain(`Unknown parameter '${key}'`)
  })
})
