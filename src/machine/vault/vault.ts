import { onceLoaded } from '../../kernel/once.ts'
import type { Vault } from '../../kernel/secret.ts'
import type { Environment } from '../state/directory.ts'

/** Returns the configured vault. Returns undefined without one; then placeholders have no meaning. */
export function vaultOf(
  secrets: { readonly env: readonly string[]; readonly file?: string },
  env: Environment,
  workspaceRoot: string,
): Vault | undefined {
  const { env: names, file } = secrets
  if (names.length === 0 && file === undefined) return undefined
  const open = onceLoaded(async () => {
    const [{ chain }, { envProvider }, { fileProvider }] = await Promise.all([
      import('./chain.ts'),
      import('./env.ts'),
      import('./file.ts'),
    ])
    return chain(
      ...(names.length > 0 ? [envProvider(names, env)] : []),
      ...(file === undefined ? [] : [fileProvider(file, workspaceRoot)]),
    )
  })
  return { get: async key => (await open()).get(key), keys: async () => (await open()).keys() }
}
