import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { at } from '../../scripts/root.mjs'
import { sizeOf } from './size-of.ts'

it('brings at most 80 MB along, with programs for the platform, besides language servers, the graph database and the model', () => {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
  const isOptional = /^node_modules\/(pyright|typescript|@typescript\/|@ladybugdb\/)/
  const installed = Object.keys(packages).filter(
    name => name !== '' && packages[name].dev !== true && !isOptional.test(name) && existsSync(at(name)),
  )
  const bytes = installed.reduce((sum, name) => sum + sizeOf(at(name), INSIDE), 0) + sizeOf(at('dist'), INSIDE)
  console.log(`${Math.round(bytes / 1e6)} MB in ${installed.length} packages, with what is built of ours`)
  expect(installed.length).toBeGreaterThan(5)
  expect(bytes).toBeLessThan(80e6)
})

it('brings at most 40 MB for the model of the memory and what runs it', () => {
  expect(sizeOf(at('models')) + sizeOf(at('dist', 'onnxruntime'))).toBeLessThan(40e6)
})

/**
 * What is installed inside a package has its own entry; what Node made of the build is not packed; what runs the model
 * has a bound of its own.
 */
const INSIDE = ['node_modules/**', 'compiled/**', 'onnxruntime/**']
