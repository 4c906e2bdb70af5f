import type { SecretProvider } from '../../kernel/secret.ts'
import type { Environment } from '../state/directory.ts'
import { chain } from './chain.ts'
import { envProvider } from './env.ts'
import { fileProvider } from './file.ts'

/** The vault that the configuration describes; undefined where it describes none, and then no placeholder means anything. */
export function vaultOf(
  secrets: { readonly env: readonly string[]; readonly file?: string },
  env: Environment,
  workspaceRoot: string,
): SecretProvider | undefined {
  const providers = [
    ...(secrets.env.length > 0 ? [envProvider(secrets.env, env)] : []),
    ...(secrets.file === undefined ? [] : [fileProvider(secrets.file, workspaceRoot)]),
  ]
  return providers.length === 0 ? undefined : chain(...providers)
}
