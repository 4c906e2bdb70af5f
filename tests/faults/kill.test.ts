import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { bundleChild, kills } from './kill-rig.ts'
import { scenarios } from './scenario.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
/** By scenario, so that the default takes seconds. */
const STRIDES = { commit: [7, 18, 70, 60], recover: [9, 20, 50, 50] }
const points: string[] = []
const directory = mkdtempSync(join(tmpdir(), 'toolwright-kill-'))
let child: string
beforeAll(async () => {
  child = await bundleChild(directory)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))
afterAll(() => console.log(`kills: ${points.join(', ')}`))

describe.each(scenarios.map(({ name }, number) => ({ name, number })))('$name', ({ name, number }) => {
  for (const action of ['commit', 'recover'] as const)
    needs('strace')(`a ${action} killed before a system call leaves the tree old or new, and nothing over`, () => {
      const stride = long ? 1 : (STRIDES[action][number] ?? 1)
      const { count, tried, violations } = kills(action, number, stride, child)
      points.push(`${action} of ${name} ${count} of ${tried}`)
      expectSound(violations)
      expectMost(count, tried)
    })
})

function expectSound(violations: readonly string[]): void {
  expect(violations).toEqual([])
}

/** Start-up varies by a call now and then, so that some runs are not killed; most must be. */
function expectMost(count: number, tried: number): void {
  expect(count).toBeGreaterThan(tried / 2)
}
