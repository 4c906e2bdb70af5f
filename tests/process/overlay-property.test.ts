// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { snapshotOf } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { overlayWorld, shell } from './overlay-world.ts'

const it = needs('bubblewrap')
const numRuns = process.env['TOOLWRIGHT_LONG'] === '1' ? 500 : 5

const NAMES = ['a', 'b', 'c d', 'e.txt', 'ü']
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map(names => `'${names.join('/')}'`)
const word = fc.constantFrom('one', 'two', 'three', '')

/** Whatever of it fails, fails in the same way on the tree itself. */
const step = fc.oneof(
  fc.tuple(path, word).map(([to, text]) => `mkdir -p "$(dirname ${to})" && printf '%s' '${text}' > ${to}`),
  path.map(to => `mkdir -p ${to}`),
  fc.tuple(path, word).map(([to, text]) => `printf '%s' '${text}' >> ${to}`),
  path.map(to => `rm -f ${to}`),
  path.map(to => `rm -rf ${to}`),
  path.map(to => `rmdir ${to}`),
  path.map(to => `touch ${to}`),
  fc.tuple(path, path).map(([from, to]) => `mv -T ${from} ${to}`),
  // Of a directory that is copied into itself, what arrives depends on the order in which it is listed.
  fc
    .tuple(path, path)
    .filter(([from, to]) => !to.startsWith(`${from.slice(0, -1)}/`))
    .map(([from, to]) => `cp -rT ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `ln -sT ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `ln -T ${from} ${to}`),
  fc.tuple(path, fc.constantFrom('600', '644', '755')).map(([to, mode]) => `[ -f ${to} ] && chmod ${mode} ${to}`),
  path.map(to => `rm -rf ${to}; mkdir -p ${to}; printf new > ${to}/fresh`),
)
const script = fc.array(step, { minLength: 1, maxLength: 9 }).map(steps => `${steps.join('\n')}\ntrue`)

describe('what a command changed, told by the layer above the tree', () => {
  for (const overlay of [true, false])
    it(`equals the tree that the command left (${overlay ? 'overlay' : 'copy'}), also over what is staged`, async () => {
      await fc.assert(
        fc.asyncProperty(script, script, script, async (before, staged, then) => {
          using world = overlayWorld(before)
          const copy = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-merged-')))
          try {
            cpSync(world.path, copy, { recursive: true, verbatimSymlinks: true })
            const transaction = createStaging()
            for (const [layer, line] of [
              [transaction, staged],
              [createStaging(transaction), then],
            ] as const) {
              const opened = world.open(layer, { overlay })
              await world.run(opened, line)
              shell(copy, line)
              expect(opened.collect()).toEqual([])
              opened.discard()
              if (layer !== transaction) layer.mergeDown()
            }
            world.land(transaction)
            expect(snapshotOf(world.path)).toEqual(snapshotOf(copy))
          } finally {
            rmSync(copy, { recursive: true, force: true })
          }
        }),
        {
          numRuns: overlay ? numRuns : Math.ceil(numRuns / 4),
          // A file in place of a directory that had something in it.
          examples: [["mkdir -p 'e.txt/a'", "rm -rf 'e.txt'\nprintf one > 'e.txt'", "printf one > 'a'"]],
        },
      )
    })
})
