import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeSecrets, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { replayed, taped, unequal } from './taped.ts'

const SECRET = 'correct-horse-battery-staple-4711'
/** Put together here, so that no scanner takes it for a real one. */
const SHAPED = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'.slice(0, 36)}`

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'held.txt': `before\nkey=${SECRET}\nafter\n`, 'shaped.txt': `token ${SHAPED}\n` })
})
afterEach(() => workspace.remove())

describe('secrets and recordings', () => {
  it('SG-21: no secret of the vault is in one, in no form, and the calls replay', async () => {
    const tape = taped()
    const kit = await workspace.open({
      record: tape.recorder,
      secrets: fakeSecrets({ KEY: SECRET }),
      grantSecrets: true,
      permissions: ['fs:write'],
    })
    await kit.run('write', { path: 'made.txt', content: 'password: $ENV.KEY\n', expect: 'absent' })
    expect(workspace.read('made.txt')).toContain(SECRET)
    await kit.run('read', { path: 'made.txt' })
    await kit.run('read', { path: 'held.txt' })
    await kit.run('edit', { path: 'held.txt', edits: [{ old: 'before', new: '$ENV.KEY' }] }, { dryRun: true })
    await kit.run('write', { path: 'x.txt', content: '$ENV.NONE', expect: 'absent' })
    const text = tape.text()
    for (const form of [
      SECRET,
      Buffer.from(SECRET).toString('base64').slice(0, 20),
      Buffer.from(SECRET).toString('hex'),
    ])
      expect(text).not.toContain(form)
    expect(text).toContain('[redacted:KEY]')
    expect(unequal(await replayed(text))).toEqual([])
  })

  it('takes out what looks like a secret, and still replays the call that read it', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder })
    const { answer } = await kit.run('read', { path: 'shaped.txt' })
    expect(JSON.stringify(answer)).toContain(SHAPED)
    expect(tape.text()).not.toContain(SHAPED)
    expect(tape.calls()[0]).toMatchObject({ masked: true })
    expect(unequal(await replayed(tape.text()))).toEqual([])
  })

  it('leaves out a call whose own input held one, and says so', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['fs:write'] })
    await kit.run('write', { path: 'new.txt', content: `token ${SHAPED}\n`, expect: 'absent' })
    expect(tape.text()).not.toContain(SHAPED)
    expect(await replayed(tape.text())).toMatchObject([{ leftOut: 'a secret was removed from its input' }])
  })

  it('leaves out an answer that was cut where a secret was taken out', async () => {
    workspace.write('long.txt', `token ${SHAPED}\n`.repeat(200))
    workspace.write('../config/config.json', JSON.stringify({ limits: { answerBytes: 1024 } }))
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder })
    await kit.run('read', { path: 'long.txt' })
    expect(tape.text()).not.toContain(SHAPED)
    expect(await replayed(tape.text())).toMatchObject([{ leftOut: expect.stringContaining('cut') }])
  })
})
