import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { unpackedPackage } from './corpora.ts'

/** Packages of the registry that pass on each other's names, laid out and linked as package managers do it for those of one workspace. */
export function linkedWorkspace(specs: readonly string[]): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-workspace-')))
  for (const spec of specs) {
    const from = unpackedPackage(spec)
    const to = join(path, 'packages', basename(from))
    cpSync(from, to, { recursive: true })
    const { name }: { name: string } = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'))
    const link = join(path, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(to, link)
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
