import { expect, it } from 'vitest'
import manifest from '../../../../../package.json' with { type: 'json' }
import { graphPackage } from './ladybug.ts'

it('names the package of the graph: the installed one, or Kuzu if the platform has none', () => {
  expect(Object.keys(manifest.optionalDependencies)).toContain(graphPackage('linux-x64'))
  for (const platform of ['linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'])
    expect(graphPackage(platform)).toBe('kuzu')
})
