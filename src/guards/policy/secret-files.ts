/** Files that hold secrets by convention, at any depth, whatever the case of their names; docs/policy.md lists them. */
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

/** Examples, which are made to be read. */
export const EXAMPLE_FILES: readonly string[] = ['.env.example', '.env.sample', '.env.template', '.env.dist']

const sourceOf = (globs: readonly string[]): string =>
  globs.map(glob => glob.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')).join('|')

const SECRET = new RegExp(`(?:^|/)(?!(?:${sourceOf(EXAMPLE_FILES)})$)(?:${sourceOf(SECRET_FILES)})$`)

/** Reports whether a folded path is one of them. */
export const isSecretFile = (folded: string): boolean => SECRET.test(folded)
