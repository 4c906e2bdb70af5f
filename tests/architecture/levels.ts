import type { Module } from './module.ts'

const parts = [
  'kernel',
  'machine',
  'languages',
  'knowledge',
  'service',
  'engines',
  'guards',
  'contracts',
  'runtime',
  'config',
] as const

/** What each part of src/ may import besides itself: lower levels only, and only the neighbours it may know. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  machine: ['kernel'],
  languages: ['kernel'],
  knowledge: ['kernel', 'machine', 'languages'],
  service: ['kernel', 'machine', 'knowledge'],
  engines: ['kernel', 'machine', 'knowledge', 'service'],
  guards: ['kernel'],
  contracts: ['kernel', 'machine', 'knowledge', 'engines'],
  runtime: ['kernel', 'guards'],
  config: ['kernel', 'machine', 'knowledge', 'service', 'engines', 'guards', 'runtime'],
  'session-machine.ts': parts,
  'toolkit.ts': [...parts, 'session-machine.ts'],
  // A client of the toolkit: what it works with is passed in, and it decides nothing.
  agent: ['kernel', 'machine'],
  // The public entries also name what the library surface offers.
  'contracts.ts': ['kernel', 'machine', 'knowledge', 'engines', 'contracts', 'toolkit.ts', 'surfaces'],
  documents: ['kernel', 'machine', 'knowledge', 'contracts', 'surfaces'],
  'adapters.ts': ['surfaces'],
  'mcp.ts': ['surfaces'],
  'index.ts': [...parts, 'agent', 'contracts.ts', 'toolkit.ts', 'surfaces'],
  surfaces: [...parts, 'agent', 'contracts.ts', 'toolkit.ts', 'index.ts'],
  testing: [...parts, 'contracts.ts', 'toolkit.ts', 'index.ts'],
}

/** Below the contracts. `.sage` is a directory of the host, whatever the contract. */
const BELOW: ReadonlySet<string> = new Set([
  'kernel',
  'machine',
  'languages',
  'knowledge',
  'service',
  'engines',
  'guards',
  'runtime',
])
const CONTRACT =
  /(?<![\w.])(superconnect|autonomous|cli-agent|debug-assistant|sage)(?!\w)|[a-z]Sage\b|[!=]== 'toolwright'/

/** A contract declares what is special about it as data: no part below knows one by its name. */
export const contractNames = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => BELOW.has(partOf(file)))
    .flatMap(({ file, code }) => {
      const [name] = CONTRACT.exec(code) ?? []
      return name === undefined ? [] : [`${file}: below the contracts no contract is known by name (${name})`]
    })

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

/** The kernel imports nothing but zod for schemas, and hashing. */
export const kernelPackages = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => partOf(file) === 'kernel')
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ target }) => !target.startsWith('src/') && target !== 'zod' && target !== 'node:crypto')
        .map(({ target }) => `${file}: the kernel may import zod only, not ${target}`),
    )

export const partOf = (file: string): string => file.split('/')[1] ?? ''

/** Files directly in contracts/ belong to all of them, and one lists them; each folder there is one contract. */
const isForeignContract = (file: string, target: string): boolean => {
  if (partOf(file) !== 'contracts' || file === 'src/contracts/load-contract.ts') return false
  const other = contractOf(target)
  return other !== undefined && other !== contractOf(file)
}

/** The id of the contract that a file of src/contracts/ belongs to. */
export const contractOf = (file: string): string | undefined => /^src\/contracts\/([^/]+)\//.exec(file)?.[1]
