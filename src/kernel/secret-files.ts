import { foldName, foldPath } from './fold-name.ts'

/** Files that hold secrets by convention, at any depth and in any case; docs/policy.md lists them too. */
export const SECRET_FILES: readonly string[] = [
  ['.env*', '.netrc', '_netrc', '.pgpass', '.htpasswd', '.vault-token'],
  // private keys, and stores of them
  ['.ssh/*', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'],
  ['*.pem', '*.key', '*.ppk', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx'],
  // cloud
  ['.aws/*', '.azure/*', '.kube/config', '.docker/config.json', '.dockercfg', '.config/gcloud/*', '.boto', '.s3cfg'],
  // packages and git
  ['.npmrc', '.pypirc', '.gem/credentials', '.cargo/credentials', '.cargo/credentials.toml'],
  ['.git-credentials', '.config/git/credentials', '.config/gh/hosts.yml'],
].flat()

/** Names that `.env*` covers but that are meant to be read. */
export const EXAMPLE_FILES: readonly string[] = ['.env.example', '.env.sample', '.env.template', '.env.dist']

/** Which of them a caller may read: none, those that some permission opens, or all. */
export type SecretReading = 'closed' | 'some' | 'open'

const NAMES = SECRET_FILES.filter(glob => !glob.includes('/'))
const WHOLE: ReadonlySet<string> = new Set(NAMES.filter(glob => !glob.includes('*')))
const ENDINGS: ReadonlySet<string> = new Set(NAMES.filter(glob => glob.startsWith('*')).map(glob => glob.slice(1)))
const BEGINNINGS = NAMES.filter(glob => glob.endsWith('*')).map(glob => glob.slice(0, -1))
const EXAMPLES: ReadonlySet<string> = new Set(EXAMPLE_FILES)
/** The patterns with a folder, by its name. Most paths have no such folder and need no second look. */
const PLACES = Map.groupBy(
  SECRET_FILES.filter(glob => glob.includes('/')),
  glob => glob.split('/').at(-2),
)

/** Reports whether a path names a file that holds secrets, as the most forgiving file system reads the name. */
export function isSecretFile(path: string): boolean {
  const slash = path.lastIndexOf('/')
  const name = foldName(path.slice(slash + 1))
  if (WHOLE.has(name) || ENDINGS.has(name.slice(name.lastIndexOf('.')))) return true
  if (BEGINNINGS.some(beginning => name.startsWith(beginning))) return !EXAMPLES.has(name)
  if (slash < 0) return false
  const places = PLACES.get(foldName(path.slice(path.lastIndexOf('/', slash - 1) + 1, slash)))
  return places?.some(glob => isAt(`/${foldPath(path)}`, `/${glob}`)) ?? false
}

const isAt = (path: string, glob: string): boolean =>
  glob.endsWith('*') ? path.slice(0, path.lastIndexOf('/') + 1).endsWith(glob.slice(0, -1)) : path.endsWith(glob)
