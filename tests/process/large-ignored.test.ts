// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { closeSync, openSync, readSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { applyChanges } from '../../src/machine/process/overlay/apply-changes.ts'
import { openLayer } from '../../src/machine/process/overlay/layer.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from './git-world.ts'

const it = needs('bubblewrap')

const LARGE = 2.5 * 1024 ** 3

describe('a large file that git ignores', () => {
  it('is put in place in pieces, though it is larger than one buffer can be', async () => {
    await using workspace = temporaryWorkspace({ 'dist/big': 'before\n' })
    const at = join(workspace.base, 'made')
    writeFileSync(at, 'begin')
    truncateSync(at, LARGE)
    const made = openSync(at, 'r+')
    writeSync(made, 'end', LARGE - 3)
    closeSync(made)
    const root = openRoot(workspace.path)
    const layer = openLayer(root.sys, workspace.base)
    const before = process.resourceUsage().maxRSS
    try {
      const one = {
        type: 'file',
        path: 'dist/big',
        fresh: false,
        mode: 0o640,
        size: LARGE,
        at: { layer, path: 'made' },
      } as const
      applyChanges(root, [one])
    } finally {
      layer.close()
      root.close()
    }
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(256 * 1024)
    const place = join(workspace.path, 'dist/big')
    const { size, mode, blocks } = statSync(place)
    expect([size, mode & 0o777]).toEqual([LARGE, 0o640])
    expect(blocks * 512).toBeLessThan(16 * 1024 ** 2)
    expect([piece(place, 0, 6), piece(place, LARGE - 4, 4)]).toEqual(['begin\0', '\0end'])
  })

  it('lands byte for byte over one that was there', async () => {
    await using workspace = repository()
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    await kit.run('run', { command: 'mkdir dist; echo before > dist/big' })
    const line =
      'head -c 2500000 /dev/urandom > dist/big; head -c 3000000 /dev/zero >> dist/big; chmod 600 dist/big; sha256sum < dist/big'
    const { outcome } = await kit.run('run', { command: line })
    const { outcome: again } = await kit.run('run', { command: 'sha256sum < dist/big' })
    expect(again.ok && again.data).toMatchObject({
      stdout: outcome.ok && (outcome.data as { stdout: string }).stdout,
      exitCode: 0,
    })
    expect(statSync(join(workspace.path, 'dist/big'))).toMatchObject({ size: 5_500_000, mode: 0o100600 })
  })
})

function piece(path: string, at: number, length: number): string {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    readSync(fd, bytes, 0, length, at)
    return bytes.toString('latin1')
  } finally {
    closeSync(fd)
  }
}
