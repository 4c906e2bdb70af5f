import type { Vault } from '../../kernel/secret.ts'

/** Secrets from the listed environment variables only: the rest of the environment is no secret store. */
export const envProvider = (names: readonly string[], env: Readonly<Record<string, string | undefined>>): Vault => {
  const allowedNames = new Set(names)
  const has = (name: string): boolean => allowedNames.has(name) && Object.hasOwn(env, name) && env[name] !== undefined
  return {
    get: async key => (has(key) ? env[key] : undefined),
    keys: async () => names.filter(has),
  }
}
