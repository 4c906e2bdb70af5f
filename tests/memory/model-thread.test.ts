import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the thread of the model goes when idle, starts again, and does not keep the process alive', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'model-child.ts')], {
    timeout: 120_000,
  })
  const { before, during } = JSON.parse(stdout)
  expect(during).toBeGreaterThan(before)
})
