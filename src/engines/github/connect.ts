import { ToolError } from '../../kernel/error.ts'
import { placeholder } from '../../kernel/placeholder.ts'
import { readTarget } from '../../kernel/target.ts'
import { hubOf, type Hub } from './hub.ts'
import { GITHUB, type Connection } from './types.ts'

/** A connection before anything is asked of it. */
export interface Connected {
  /** What a call that uses it claims. */
  readonly origin: string
  hub(): Promise<Hub>
}

/** A connection whose secrets are written as `$ENV.NAME`, filled in when it is first used. */
export function connect(written: Connection, secretOf: (name: string) => Promise<string | undefined>): Connected {
  return {
    origin: readTarget(written.baseUrl ?? GITHUB).origin,
    async hub() {
      const { token, app } = written
      return hubOf({
        ...written,
        ...(token !== undefined && { token: await filled(token, secretOf) }),
        ...(app && { app: { ...app, privateKey: await filled(app.privateKey, secretOf) } }),
      })
    },
  }
}

async function filled(text: string, secretOf: (name: string) => Promise<string | undefined>): Promise<string> {
  const [[whole, name] = []] = text.matchAll(placeholder())
  if (name === undefined || whole !== text) return text
  const value = await secretOf(name)
  if (value) return value
  throw new ToolError('unavailable', `The GitHub connection names the secret '${name}', and there is none`, {
    hint: `Set ${name} in the environment, or put it into the secrets file`,
    details: { access: 'none' },
  })
}
