import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { at, root } from '../../scripts/root.mjs'
import { sizeOf } from './size-of.ts'

it('brings every file that its pages link to', async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  // An older npm gives a list of packages, a newer one an object by their names.
  const [packed]: { files: { path: string }[] }[] = Object.values(JSON.parse(stdout))
  const files = new Set(packed?.files.map(({ path }) => path))
  const missing = [...files].filter(isPage).flatMap(page =>
    linksOf(page)
      .filter(target => !files.has(target) && ![...files].some(path => path.startsWith(`${target}/`)))
      .map(target => `${page} -> ${target}`),
  )
  expect(files).toContain('README.md')
  expect(missing).toEqual([])
}, 120_000)

it('brings at most 80 MB along, with programs for the platform, besides language servers and the graph database', () => {
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

/** What is installed inside a package has its own entry; what Node made of the build is not packed. */
const INSIDE = ['node_modules/**', 'compiled/**']

const isPage = (path: string): boolean => path.endsWith('.md') && !path.startsWith('dist/')

/** The files of the repository that a page links to. */
const linksOf = (page: string): readonly string[] => {
  const text = readFileSync(at(page), 'utf8').replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    const [path = ''] = target.split('#')
    return path === '' || /^[a-z]+:/.test(path) ? [] : [posix.join(posix.dirname(page), path).replace(/\/$/, '')]
  })
}
