import { ToolError } from '../../kernel/error.ts'
import { placeholder } from '../../kernel/placeholder.ts'
import { hubOf, type Hub } from './hub.ts'
import type { Connection } from './types.ts'

/** A connection before its first request. */
export interface Connected {
  hub(): Promise<Hub>
}

/** Returns the given connection. Its secrets may be written as `$ENV.NAME` and are filled in when it is used. */
export function connectionOf(
  written: WrittenConnection,
  secretOf: (name: string) => Promise<string | undefined>,
): Connected {
  return {
    async hub() {
      const { repository, ref, baseUrl, token, app } = written
      return hubOf({
        repository,
        ...(ref !== undefined && { ref }),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(token !== undefined && { token: await filled(token, secretOf) }),
        ...(app && { app: { ...app, privateKey: await filled(app.privateKey, secretOf) } }),
      })
    },
  }
}

/** A configured connection: its secrets may be written as `$ENV.NAME`. */
export type WrittenConnection = { readonly [Key in keyof Connection]: Connection[Key] | undefined } & Pick<
  Connection,
  'repository'
>

async function filled(text: string, secretOf: (name: string) => Promise<string | undefined>): Promise<string> {
  const [[whole, name] = []] = text.matchAll(placeholder())
  if (name === undefined || whole !== text) return text
  const value = await secretOf(name)
  if (value) return value
  throw new ToolError('unavailable', `The GitHub connection names the secret '${name}', which is not set`, {
    hint: `Set ${name} in the environment, or put it into the secrets file`,
    details: { access: 'none' },
  })
}
