/** Resolves the value of a secret by its key, for example `GITHUB_API_KEY`; undefined if there is none. */
export interface SecretProvider {
  get(key: string): Promise<string | undefined>
}

/** A provider that can also list its keys, so that their values are redacted before the first request for one. */
export interface Vault extends SecretProvider {
  keys(): Promise<readonly string[]>
}
