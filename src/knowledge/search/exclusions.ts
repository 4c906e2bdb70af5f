import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { isSecretFile, type SecretReading } from '../../kernel/secret-files.ts'
import type { IndexedSearch } from './indexed-search.ts'
import type { StagedOverlay } from './staged-overlay.ts'

interface Exclusions {
  /** Files the index must leave out. */
  readonly leaveOut: readonly string[]
  /** The subset that rules hide from reading. */
  readonly hidden: readonly string[]
  /** The subset that is left out only because it may hold secrets, if the index does not do that itself. */
  readonly closed: readonly string[]
  /** The index leaves out all files that hold secrets; it knows their names. */
  readonly secrets?: true
}

interface Rules {
  readonly mayRead: (path: string) => boolean
  readonly secretFiles: SecretReading
  readonly hides: HiddenPaths | undefined
  readonly staged: StagedOverlay | undefined
}

const pathsByRules = new WeakMap<readonly string[], WeakMap<object, readonly string[]>>()

/**
 * Returns the files an index must leave out, because it knows neither rules nor staged changes. Returns undefined if
 * the index cannot answer now.
 */
export async function exclusionsFor(
  searchIndex: Pick<IndexedSearch, 'files'>,
  rules: Rules,
): Promise<Exclusions | undefined> {
  const { mayRead, secretFiles, hides, staged } = rules
  const secrets = secretFiles === 'closed' && { secrets: true as const }
  if (!hides && !staged && secretFiles !== 'some') return { leaveOut: [], hidden: [], closed: [], ...secrets }
  const files = await searchIndex.files()
  if (!files) return undefined
  const stagedPaths = staged ? files.filter(path => staged.hides(path)) : []
  const isGone = new Set(stagedPaths)
  const hiddenPaths = hides ? touchedBy(files, hides).filter(path => !isGone.has(path) && !mayRead(path)) : []
  const isHidden = new Set(hiddenPaths)
  const secretPaths =
    secretFiles === 'some'
      ? touchedBy(files, SECRETS).filter(path => !isGone.has(path) && !isHidden.has(path) && !mayRead(path))
      : []
  return {
    leaveOut: [...stagedPaths, ...hiddenPaths, ...secretPaths],
    hidden: hiddenPaths,
    closed: secretPaths,
    ...secrets,
  }
}

const SECRETS = { matches: isSecretFile }

/** Caches the paths that rules affect, because every call asks about the same files with the same rules. */
function touchedBy(files: readonly string[], hides: Pick<HiddenPaths, 'matches'>): readonly string[] {
  const pathsByRule = pathsByRules.get(files) ?? new WeakMap<object, readonly string[]>()
  pathsByRules.set(files, pathsByRule)
  const some = pathsByRule.get(hides) ?? files.filter(path => hides.matches(path))
  pathsByRule.set(hides, some)
  return some
}
