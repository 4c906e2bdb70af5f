import { ToolError } from './error.ts'
import { placeholder } from './placeholder.ts'

/** Finds a secret by its name; undefined if it is not set. */
export type SecretOf = (name: string) => Promise<string | undefined>

/**
 * Returns a text of the configuration; where all of it is `$ENV.NAME`, the secret of that name. `owner` is what needs
 * the secret, for the message if it is not set.
 */
export async function configuredSecret(
  configuredText: string,
  secretOf: SecretOf,
  owner: string,
  details?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const [[whole, name] = []] = configuredText.matchAll(placeholder())
  if (name === undefined || whole !== configuredText) return configuredText
  const value = await secretOf(name)
  if (value) return value
  throw new ToolError('unavailable', `${owner} names the secret '${name}', which is not set`, {
    hint: `Set ${name} in the environment, or put it into the secrets file`,
    ...(details && { details }),
  })
}
