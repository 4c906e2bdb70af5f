import { configuredSecret, type SecretOf } from '../../kernel/configured-secret.ts'
import { hubOf, type Hub } from './hub.ts'
import type { Connection } from './types.ts'

/** A connection before its first request. */
export interface Connected {
  hub(): Promise<Hub>
}

/** Returns the given connection. Its secrets may be written as `$ENV.NAME` and are filled in when it is used. */
export function connectionOf(settings: WrittenConnection, secretOf: SecretOf): Connected {
  const resolveSecret = (text: string): Promise<string> =>
    configuredSecret(text, secretOf, 'The GitHub connection', { access: 'none' })
  return {
    async hub() {
      const { repository, ref, baseUrl, token, app } = settings
      return hubOf({
        repository,
        ...(ref !== undefined && { ref }),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(token !== undefined && { token: await resolveSecret(token) }),
        ...(app && { app: { ...app, privateKey: await resolveSecret(app.privateKey) } }),
      })
    },
  }
}

/** A configured connection: its secrets may be written as `$ENV.NAME`. */
export type WrittenConnection = { readonly [Key in keyof Connection]: Connection[Key] | undefined } & Pick<
  Connection,
  'repository'
>
