import type { SecretProvider, Vault } from '../../kernel/secret.ts'

/** Combines several providers: the first with a key counts. Providers that cannot list their keys are only queried. */
export const chain = (...providers: readonly (SecretProvider | Vault)[]): Vault => ({
  get: async key => {
    for (const provider of providers) {
      const value = await provider.get(key)
      if (value !== undefined) return value
    }
    return undefined
  },
  keys: async () => {
    const lists = await Promise.all(providers.map(provider => ('keys' in provider ? provider.keys() : [])))
    return [...new Set(lists.flat())]
  },
})
