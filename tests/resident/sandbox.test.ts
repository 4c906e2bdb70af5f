// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ownBuild } from '../../src/service/own-build.ts'
import { placeOf } from '../../src/service/place.ts'
import { needs } from '../needs.ts'
import { useWorlds } from './rig.ts'

const it = needs('bubblewrap')
const worlds = useWorlds()

describe('a command in the sandbox', () => {
  it('cannot reach the process, which would show it files that rules hide', async () => {
    const world = worlds.make()
    const { pid } = await world.start()
    const { directory, socket } = placeOf(world.state.path, ownBuild())
    const kit = await world.workspace.open({ permissions: ['exec'] })
    for (const path of [join(directory, socket), directory, `/proc/${pid}/root${directory}`]) {
      const { outcome } = await kit.run('run', { command: `ls '${path}'` })
      if (!outcome.ok) throw outcome.error
      expect(outcome.data).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No such file') })
    }
    await kit.close()
  })
})
