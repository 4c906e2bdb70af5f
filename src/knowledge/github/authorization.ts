import { sign } from 'node:crypto'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import type { Hub } from './hub.ts'
import { jsonOf } from './json-of.ts'
import { limitedUntil, waitUntil } from './rate-limit.ts'
import { send, type CallParts } from './send.ts'
import type { AppInstallation } from './types.ts'

/** Returns the authorization headers; none if the connection has neither token nor App. */
export async function authorization(hub: Hub, call: CallParts): Promise<Readonly<Record<string, string>>> {
  const { token, app } = hub.connection
  if (token !== undefined) return bearer('GITHUB_TOKEN', token, call)
  if (!app) return {}
  const installation = hub.installation
  const cachedToken = await installation
  if (cachedToken && cachedToken.expiresAt - Date.now() > MINUTE)
    return bearer('GITHUB_INSTALLATION_TOKEN', cachedToken.token, call)
  // If several callers find it expired, one renews it for all.
  const others = hub.installation === installation ? undefined : hub.installation
  const { token: fresh } = await (others ?? renewToken(hub, app, call))
  return bearer('GITHUB_INSTALLATION_TOKEN', fresh, call)
}

function renewToken(hub: Hub, app: AppInstallation, call: CallParts): ReturnType<typeof installationToken> {
  const newToken = installationToken(hub, app, call)
  hub.installation = newToken
  newToken.catch(() => {
    if (hub.installation === newToken) hub.installation = undefined
  })
  return newToken
}

const MINUTE = 60_000

async function bearer(name: string, token: string, call: CallParts): Promise<Readonly<Record<string, string>>> {
  await call.learn(name, token)
  return { authorization: `Bearer ${token}` }
}

const tokenSchema = z.object({ token: z.string().min(1), expires_at: z.string() })

async function installationToken(
  hub: Hub,
  app: AppInstallation,
  call: CallParts,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  await call.learn('GITHUB_APP_KEY', app.privateKey)
  const url = hub.url(`/app/installations/${encodeURIComponent(app.installationId)}/access_tokens`)
  const headers = { accept: 'application/vnd.github+json', ...(await bearer('GITHUB_APP_JWT', appToken(app), call)) }
  const response = await send('POST', url, headers, 100_000, call)
  const { status, bytes } = response
  const until = limitedUntil({ ...response, message: bytes.toString('utf8') }, Date.now())
  if (until !== undefined) {
    hub.limitedUntil = until
    await waitUntil(until, call.deadline, call.signal)
    return installationToken(hub, app, call)
  }
  const answer = status === 201 ? tokenSchema.safeParse(jsonOf(bytes)) : undefined
  if (answer?.success) return { token: answer.data.token, expiresAt: Date.parse(answer.data.expires_at) }
  const message = `GitHub returns no token for installation ${app.installationId} of App ${app.id} (status ${status})`
  if (status >= 500) throw new ToolError('io', message, { hint: 'Try again later', details: { status } })
  throw new ToolError('denied', message, {
    hint: 'Check the ids and the private key of the App, and that it is installed for this repository',
    details: { status, access: 'none' },
  })
}

/** Creates an App's token: valid for nine minutes, and dated a minute back for inaccurate clocks. */
function appToken({ id, privateKey }: AppInstallation, now = Date.now()): string {
  const seconds = Math.floor(now / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signedPart = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: seconds - 60, exp: seconds + 540, iss: String(id) })}`
  try {
    // In the environment a key is often on one line.
    const key = privateKey.replaceAll('\\n', '\n')
    return `${signedPart}.${sign('RSA-SHA256', Buffer.from(signedPart), key).toString('base64url')}`
  } catch {
    // The cause may quote the key.
    throw new ToolError('unavailable', `The private key of GitHub App ${id} cannot be used`, {
      hint: 'Give the complete PEM file that GitHub generated for the App',
      details: { access: 'none' },
    })
  }
}
