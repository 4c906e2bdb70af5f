import { posix } from 'node:path'
import type { ModuleFile } from './module-file.ts'
import { isRelative, type Style } from './specifier.ts'

/** How a module writes the files that it imports; undefined where it imports none. */
export function styleIn({ program, source }: ModuleFile): Style | undefined {
  for (const statement of program.body) {
    const from = 'source' in statement ? statement.source?.value : undefined
    if (from === undefined || !isRelative(from)) continue
    if (/\.[cm]?tsx?$/.test(from)) return 'whole'
    if (/\.[cm]?jsx?$/.test(from)) return /\.[cm]?tsx?$/.test(source.path) ? 'script' : 'whole'
    if (posix.extname(from) === '') return 'bare'
  }
  return undefined
}

/** What the configuration of the project demands. */
export function styleBy(path: string, configuration: string | undefined): Style {
  if (/\.[cm]?jsx?$/.test(path)) return 'whole'
  if (configuration && /"allowImportingTsExtensions"\s*:\s*true/.test(configuration)) return 'whole'
  const isNode = configuration && /"module(Resolution)?"\s*:\s*"node(16|18|20|next)"/i.test(configuration)
  return isNode || /\.[cm]ts$/.test(path) ? 'script' : 'bare'
}
