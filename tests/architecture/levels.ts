import type { Module } from './module.ts'

const parts = [
  'kernel',
  'engines',
  'guards',
  'contracts',
  'runtime',
  'config.ts',
  'config-file.ts',
  'config-code.ts',
  'config-defaults.ts',
  'load-config.ts',
  'protection.ts',
  'known-tools.ts',
  'load-contract.ts',
  'session-options.ts',
  'contracts.ts',
] as const

/** What each part of src/ may import besides itself: lower levels only, and only the neighbours it may know. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  engines: ['kernel'],
  guards: ['kernel'],
  contracts: ['kernel', 'engines'],
  runtime: ['kernel', 'guards'],
  'config-defaults.ts': ['kernel'],
  'config-code.ts': ['kernel', 'config-defaults.ts'],
  'config-file.ts': ['kernel', 'guards', 'config-code.ts', 'config-defaults.ts'],
  'config.ts': ['kernel', 'guards', 'config-defaults.ts', 'config-file.ts'],
  'load-config.ts': ['kernel', 'guards', 'engines', 'config.ts', 'config-file.ts'],
  'protection.ts': ['guards', 'engines'],
  'known-tools.ts': ['kernel', 'engines', 'config.ts'],
  'load-contract.ts': ['kernel', 'engines', 'contracts'],
  'session-options.ts': ['kernel', 'engines', 'guards', 'runtime'],
  'toolkit.ts': parts,
  // The public entries also name what the library surface offers.
  'contracts.ts': ['kernel', 'engines', 'contracts', 'toolkit.ts', 'surfaces'],
  'mcp.ts': ['surfaces'],
  'index.ts': [...parts, 'toolkit.ts', 'surfaces'],
  surfaces: [...parts, 'toolkit.ts', 'index.ts'],
  testing: [...parts, 'toolkit.ts', 'index.ts'],
}

/** An import goes to a lower level; types count, because what is known is what can be depended on. */
export const levels = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ file, imports }) => {
    const part = partOf(file)
    const allowed = mayImport[part]
    if (!allowed) return [`${file}: src/${part} has no place in the levels`]
    return imports
      .map(({ target }) => target)
      .filter(target => target.startsWith('src/'))
      .flatMap(target => {
        const other = partOf(target)
        if (other !== part)
          return allowed.includes(other) ? [] : [`${file}: ${part} may not import ${other} (${target})`]
        return isForeignContract(file, target) ? [`${file}: a contract may not import another (${target})`] : []
      })
  })

/** The kernel speaks to nobody: zod for the schemas, and hashing. */
export const kernelPackages = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => partOf(file) === 'kernel')
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ target }) => !target.startsWith('src/') && target !== 'zod' && target !== 'node:crypto')
        .map(({ target }) => `${file}: the kernel may import zod only, not ${target}`),
    )

export const partOf = (file: string): string => file.split('/')[1] ?? ''

/** Files directly in contracts/ belong to all of them; each folder there is one contract. */
const isForeignContract = (file: string, target: string): boolean => {
  if (partOf(file) !== 'contracts') return false
  const other = contractOf(target)
  return other !== undefined && other !== contractOf(file)
}

/** The id of the contract that a file of src/contracts/ belongs to. */
export const contractOf = (file: string): string | undefined => /^src\/contracts\/([^/]+)\//.exec(file)?.[1]
