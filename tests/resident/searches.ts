import fc from 'fast-check'
import type { Resident } from '../../src/service/open-resident.ts'
import { searchThrough } from '../../src/knowledge/answers/search-through.ts'
import { reachedSearch } from '../../src/service/reached-search.ts'
import { openSearch } from '../../src/knowledge/search/open-search.ts'
import type { FindOptions, GrepOptions, SearchEngine } from '../../src/knowledge/search/types.ts'
import { createReadMemory } from '../../src/machine/workspace/read-memory.ts'
import { openWorkspace } from '../../src/machine/workspace/open-workspace.ts'
import type { Root } from '../../src/machine/workspace/root.ts'
import { createStaging, type Staging } from '../../src/machine/workspace/staging.ts'
import type { Workspace } from '../../src/machine/workspace/workspace.ts'
import { compileGlob } from '../../src/guards/glob.ts'
import { readsBelow } from '../../src/kernel/claim.ts'
import type { HiddenPaths } from '../../src/kernel/hidden-paths.ts'
import type { SecretReading } from '../../src/kernel/secret-files.ts'

/** Files that the questions below tell apart. */
export const FILES = {
  '.gitignore': 'node_modules/\n*.log\n',
  '.hidden.ts': 'import needle\n',
  '.github/workflow.yml': 'on: needle\nalpha\n',
  'README.md': 'alpha beta\nStraße und résumé\nimport 12\n',
  'app.log': 'needle\n',
  'docs/one.md': 'needle\n\nalpha\r\nbeta\r\n',
  'docs/secret.md': 'needle alpha\n',
  'node_modules/pkg/index.ts': 'needle\n',
  'src/a.ts': 'import alpha\nexport const x = 10\ngamma  delta\n',
  'src/secret.ts': 'import needle\nalpha\n',
  'src/deep/b.ts': 'needle needle\nbeta\nx\n',
  'src/deep/c.md': 'GAMMA Alpha STRASSE\nbinary? no\n',
}

/** A rule that keeps every file of these names from being read. */
export function hiding(...globs: readonly string[]): {
  readonly mayRead: (path: string) => boolean
  readonly hides: HiddenPaths
} {
  const compiled = globs.map(glob => compileGlob(glob))
  const matches = (path: string): boolean => compiled.some(glob => glob.matches(path))
  return {
    mayRead: path => !matches(path),
    hides: { matches, covers: () => false, reaches: () => true, names: () => true },
  }
}

export interface Sight {
  readonly staging?: Staging
  readonly mayRead?: (path: string) => boolean
  readonly mayList?: (path: string) => boolean
  readonly secretFiles?: SecretReading
  readonly hides?: HiddenPaths
}

/** The search of one call, by the process or by scan. */
export const searchOf = (root: Root, resident: Resident | undefined, sight: Sight = {}): SearchEngine =>
  openSearch({
    root,
    staging: sight.staging ?? createStaging(),
    claims: readsBelow('.'),
    mayRead: sight.mayRead ?? (() => true),
    mayList: sight.mayList ?? sight.mayRead ?? (() => true),
    secretFiles: sight.secretFiles ?? 'open',
    hides: sight.hides,
    compileGlob,
    reference: () => Buffer.alloc(0),
    ...(resident && { indexed: searchThrough(reachedSearch(resident))() }),
  })

const EVERYTHING = (['read', 'write', 'create'] as const).map(action => ({ action, resource: '**' }))

/** A place for changes that have not landed. */
export const stagingIn = (root: Root): { readonly staging: Staging; readonly workspace: Workspace } => {
  const staging = createStaging()
  const memory = createReadMemory()
  return { staging, workspace: openWorkspace(root, { grant: EVERYTHING, staging, memory, strictWrites: false }) }
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'import', 'Straße', 'résumé', 'x', 'needle')
const regex = fc.constantFrom(
  'alpha|beta',
  '^import',
  'a$',
  '[a-d]+eta',
  '\\bx\\b',
  'ne+dle',
  '.',
  'gamma\\s+\\w+',
  '\\d{2,}',
)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

export const anyGrep: fc.Arbitrary<GrepOptions> = fc
  .record({
    patterns: fc.array(word, { minLength: 1, maxLength: 2 }),
    expression: optional(regex),
    ignoreCase: optional(fc.boolean()),
    word: optional(fc.boolean()),
    invert: optional(fc.boolean()),
    directory: optional(fc.constantFrom('.', 'src', 'src/deep', 'docs', '.github', 'node_modules', 'empty')),
    globs: optional(fc.constantFrom(['*.ts'], ['src/**'], ['!*.md'], ['**/*.{ts,md}', '!src/deep/**'], ['nothing'])),
    hidden: optional(fc.boolean()),
    before: optional(fc.integer({ min: 0, max: 2 })),
    after: optional(fc.integer({ min: 0, max: 2 })),
    skip: optional(fc.integer({ min: 0, max: 5 })),
    maxResults: fc.constantFrom(1, 3, 20, 1000),
    only: optional(fc.constantFrom('files', 'counts')),
    strict: optional(fc.boolean()),
  })
  .map(({ expression, patterns, ...options }) => ({
    ...given(options),
    maxResults: options.maxResults,
    patterns: expression === undefined ? patterns : [expression],
    ...(expression !== undefined && { regex: true }),
    timeoutMs: 20_000,
  }))

export const anyFind: fc.Arbitrary<{ directory: string; glob: string; options: FindOptions }> = fc.record({
  directory: fc.constantFrom('.', 'src', 'src/deep', '.github', 'node_modules', 'empty'),
  glob: fc.constantFrom('**', '**/*.ts', '*', '*.md', '{src,docs}/**', 'deep/*', '**/.*', 'nothing'),
  options: fc
    .record({
      maxResults: fc.constantFrom(1, 3, 1000),
      maxDepth: fc.constantFrom(1, 2, 50),
      skip: optional(fc.integer({ min: 0, max: 3 })),
      hidden: optional(fc.boolean()),
      strict: optional(fc.boolean()),
    })
    .map(options => ({ ...given(options), maxResults: options.maxResults, maxDepth: options.maxDepth })),
})

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function given<T extends object>(options: T): Given<T> {
  const there: Given<T> = {}
  for (const key of Object.keys(options)) {
    const value: unknown = Reflect.get(options, key)
    if (value !== undefined) Reflect.set(there, key, value)
  }
  return there
}
