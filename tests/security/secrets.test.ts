import { describe, expect, it } from 'vitest'
import type { Vault } from '../../src/kernel/secret.ts'
import { fakePerson, fakeSecrets, temporaryWorkspace } from '../../src/testing/index.ts'
import { commandTool } from './rows/command-tool.ts'
import { standInContract } from './stand-in-contract.ts'

const VALUE = `it's; "quoted" $(code)`
const secrets = fakeSecrets({ TOKEN: VALUE })

describe('a secret and a command', () => {
  it('SG-20: hands the value over apart, and leaves the text of the command alone', async () => {
    await using workspace = temporaryWorkspace()
    const seen: unknown[] = []
    const tool = commandTool('bash', { run: (command, call) => void seen.push(command, call.secrets?.get('TOKEN')) })
    const kit = await workspace.open({ contract: standInContract(tool), secrets, permissions: ['exec', 'secret:*'] })
    await kit.run('bash', { command: "printf %s '$ENV.TOKEN'" })
    expect(seen).toEqual(["printf %s '$ENV.TOKEN'", VALUE])
  })
})

describe('a dry run', () => {
  it('still asks before a command runs and before a secret is revealed', async () => {
    await using workspace = temporaryWorkspace()
    let runs = 0
    const tool = commandTool('bash', { run: () => void runs++ })
    const kit = await workspace.open({ contract: standInContract(tool), secrets })
    const { outcome } = await kit.run('bash', { command: 'ls' }, { dryRun: true })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(runs).toBe(0)
    const write = await kit.run('Write', { file: 'a', content: '$ENV.TOKEN' }, { dryRun: true, contract: 'sage' })
    expect(write.outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const person = fakePerson('yes')
    kit.questions.attach(person)
    expect((await kit.run('bash', { command: 'ls' }, { dryRun: true })).outcome.ok).toBe(true)
    expect(person.asked).toHaveLength(1)
  })
})

describe('a vault that lists its keys', () => {
  it('SG-21: has its values redacted before the first request for one', async () => {
    await using workspace = temporaryWorkspace({ 'leak.txt': `x ${VALUE} y\n` })
    const vault: Vault = { get: secrets.get, keys: async () => ['TOKEN'] }
    const kit = await workspace.open({ secrets: vault })
    expect(await kit.call('read', { path: 'leak.txt' })).toMatchObject({ data: { content: 'x [redacted:TOKEN] y\n' } })
  })
})
