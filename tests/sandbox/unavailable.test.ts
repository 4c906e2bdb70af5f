// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { maskedProc, playing, withoutBubblewrap } from './played.ts'
import { openWorld, worldNames, type WorldName } from './world.ts'

const it = needs('bubblewrap')
const asRoot = worldNames.length > 1
/** Machines are played in mount and user namespaces of their own, which takes root. */
const played = (names: readonly WorldName[]): readonly WorldName[] => (asRoot ? names : [])

describe.each(played(['root-on-root', 'root-on-user', 'user']))('a machine without bubblewrap (%s)', name => {
  it('refuses commands, and says what installs it', async () => {
    const world = openWorld(name)
    const answers = await world.run([world.spec(['true'])], {}, playing(withoutBubblewrap))
    const report = await world.report(playing(withoutBubblewrap))
    await world.close()
    expect(report).toMatchObject({ usable: false, situation: 'none', cause: 'bubblewrap is not installed' })
    expect(report.fix).toMatch(/install.* bubblewrap$/)
    expect(answers[0]?.failure).toMatchObject({ code: 'unavailable', hint: `Fix it with: ${report.fix}` })
  })
})

describe.each(played(['user']))('a machine whose /proc is masked, as in a container (%s)', name => {
  it('refuses commands, and names the option of the container', async () => {
    const world = openWorld(name)
    const answers = await world.run([world.spec(['true'])], {}, playing(maskedProc))
    const report = await world.report(playing(maskedProc))
    await world.close()
    expect(report.cause).toMatch(/parts of \/proc are masked/)
    expect(report.fix).toMatch(/systempaths=unconfined|unmask=ALL|procMount: Unmasked/)
    expect(answers[0]?.failure?.code).toBe('unavailable')
  })
})

describe.each(played(['root-on-root', 'root-on-user']))('root with a masked /proc (%s)', name => {
  it('has a sandbox without a user namespace, as closed as the other', async () => {
    const world = openWorld(name)
    const probe = world.spec([
      '/bin/bash',
      '-c',
      'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; unshare -U true; echo > /proc/sys/kernel/core_pattern; touch x; ls -A /; cat /proc/net/dev; id -u',
    ])
    const answers = await world.run([probe], {}, playing(maskedProc))
    const report = await world.report(playing(maskedProc))
    await world.close()
    expect(report).toMatchObject({ usable: true, situation: name })
    expect(report.words.join('\n')).toMatch(/no user namespace/)
    const [answer] = answers
    expect(answer?.exit?.code).toBe(0)
    expect(answer?.stdout.match(/^Cap\w+:\s0{16}$/gm)).toHaveLength(5)
    expect(answer?.stdout).toMatch(/NoNewPrivs:\s1\nSeccomp:\s2/)
    expect(answer?.stderr).toMatch(/unshare failed: Operation not permitted/)
    expect(answer?.stderr).toMatch(/core_pattern: Read-only file system/)
    expect(answer?.stdout).not.toMatch(/eth0/)
  })
})

const NONE = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'

describe.each(played(['user']))('a machine that allows no user namespaces (%s)', name => {
  it('refuses commands, and names the setting', async () => {
    const world = openWorld(name)
    const asUser = ['unshare', '--user', '--map-current-user', '--keep-caps', '/bin/sh', '-c', NONE, 'sh']
    const report = await world.report({ asUser })
    await world.close()
    expect(report).toMatchObject({
      usable: false,
      cause: expect.stringContaining('user.max_user_namespaces=0'),
      fix: expect.stringContaining('sysctl -w user.max_user_namespaces=15000'),
    })
  })
})

describe('a workspace that is a whole system', () => {
  it('is refused', async () => {
    const world = openWorld(worldNames[0] ?? 'user')
    const answer = await world.sh('true', { root: '/' })
    await world.close()
    expect(answer.failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('/ as the workspace'),
    })
  })
})
